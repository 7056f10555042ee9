package cli

import (
	"slices"
	"strings"
)

// Complete returns the completions for the last of words, the words typed so far after the
// program's name: one line each, with a description after a tab. None means that the word is a
// file, or free text.
func (p *Program) Complete(words []string) []string {
	words = slices.DeleteFunc(words, func(word string) bool { return word == "=" }) // shells take --name=value apart
	if len(words) == 0 {
		words = []string{""}
	}
	before, begun := words[:len(words)-1], words[len(words)-1]
	for len(before) > 0 && before[0] == "-C" {
		if len(before) == 1 {
			return nil
		}
		before = before[2:]
	}
	name, _ := p.splitCommand(before)
	var flags []Flag
	c := p.findCommand(name)
	if c != nil {
		flags = append(append(flags, c.Flags...), common...)
	}
	var lines []string
	offer := func(text, help string) {
		if strings.HasPrefix(text, begun) {
			lines = append(lines, strings.TrimSuffix(text+"\t"+strings.ReplaceAll(help, "\n", " "), "\t"))
		}
	}

	if value, ok := valueOf(before, flags); ok {
		for _, choice := range value.Choices {
			offer(choice, "")
		}
		return lines
	}
	switch {
	case isFlag(begun):
		for _, f := range flags {
			offer(f.Dashed(), f.Help)
		}
	case name == "" || name == "help":
		for _, c := range p.Commands {
			offer(c.Name, c.Summary)
		}
	case c != nil && c.Values != nil && !slices.ContainsFunc(before[slices.Index(before, name)+1:], func(word string) bool { return !isFlag(word) }):
		for _, value := range c.Values() {
			offer(value, "")
		}
	}

	return lines
}

// valueOf returns the flag whose value comes after the words.
func valueOf(words []string, flags []Flag) (Flag, bool) {
	if len(words) == 0 || !isFlag(words[len(words)-1]) {
		return Flag{}, false
	}
	f, ok := findFlag(flags, strings.TrimLeft(words[len(words)-1], "-"))

	return f, ok && f.Value != ""
}
