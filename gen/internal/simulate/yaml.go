package simulate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/sample"
)

// YAML is the script as a file. The comment at its beginning is the caller's, line by line.
func (s *Script) YAML(comment []string) []byte {
	var b strings.Builder
	for _, line := range comment {
		fmt.Fprintf(&b, "# %s\n", strings.Map(onOneLine, line))
	}
	for _, list := range s.Turns {
		fmt.Fprintf(&b, "%s:\n", yamlName(list.Name))
		for _, t := range list.Turns {
			fmt.Fprintf(&b, "  - %s\n", t.yaml())
			if t.Signal != "" {
				fmt.Fprintf(&b, "    signal: %s\n", yamlJSON(sample.Quote(t.Signal)))
			}
		}
	}
	section(&b, "ask", "asked", s.Answers, Turn.answer)
	section(&b, "funcs", "called", s.Funcs, Turn.result)
	section(&b, "tools", "called", s.Tools, Turn.result)
	section(&b, "guards", "asked", s.Guards, Turn.verdict)
	if len(s.Turns)+len(s.Answers)+len(s.Funcs)+len(s.Tools)+len(s.Guards) == 0 {
		b.WriteString("tools: {} # nothing is asked\n")
	}

	return []byte(b.String())
}

// section writes a section of a script, unless it has no lists; used is what becomes of those that it names.
func section(b *strings.Builder, name, used string, lists []List, item func(Turn) string) {
	if len(lists) == 0 {
		return
	}
	none := !slices.ContainsFunc(lists, func(l List) bool { return len(l.Turns) > 0 })
	fmt.Fprintf(b, "%s:%s\n", name, when(none, " # none is "+used))
	for _, list := range lists {
		if len(list.Turns) == 0 {
			fmt.Fprintf(b, "  %s: []%s\n", yamlName(list.Name), when(!none, " # is not "+used))
			continue
		}
		fmt.Fprintf(b, "  %s:\n", yamlName(list.Name))
		for _, t := range list.Turns {
			fmt.Fprintf(b, "    - %s\n", item(t))
		}
	}
}

func when(holds bool, text string) string {
	if holds {
		return text
	}

	return ""
}

func (t Turn) answer() string { return yamlJSON(sample.Quote(t.Say)) }

// verdict is what a guard says.
func (t Turn) verdict() string { return t.Value }

// result is what a function or a tool answers.
func (t Turn) result() string {
	if t.Fails {
		return "error: it fails"
	}

	return "result: " + yamlJSON(t.Value)
}

func (t Turn) yaml() string {
	if t.Fails {
		return "error: {status: 400, message: it fails}"
	}
	if t.Value == "" {
		return "say: " + yamlJSON(sample.Quote(t.Say))
	}

	finish := fmt.Sprintf("finish: {key: %s, value: %s}", yamlJSON(sample.Quote(t.Key)), yamlJSON(t.Value))
	if t.Calls != "" {
		return "call: " + yamlJSON(t.Calls) + "\n    " + finish
	}

	return finish
}

// onOneLine keeps a comment on its line.
func onOneLine(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}

	return ' '
}

// wordForm is that of names that need no quotes, unless they mean something else in YAML.
var wordForm = regexp.MustCompile(`^[a-z_][a-z0-9_/@-]*$`)

// otherMeanings are words that some reader of YAML takes for no text.
var otherMeanings = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

func yamlName(name string) string {
	if wordForm.MatchString(name) && !slices.Contains(otherMeanings, name) {
		return name
	}

	return sample.Quote(name)
}

// yamlJSON writes JSON so that it is YAML, which has no characters that cannot be printed. They can only be in
// strings.
func yamlJSON(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}

	return b.String()
}
