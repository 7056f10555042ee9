package scriptdoc

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// Script is a script under construction. It has only the sections and names that were added, and
// writes them in the order in which they were added.
type Script struct {
	// Comment holds the lines at the beginning of the file.
	Comment []string
	lists   [len(sections)][]*list
}

// Section is a part of a script.
type Section uint8

// The sections of a script, in the order of the file.
const (
	Agents Section = iota
	Questions
	Funcs
	Tools
	Guards
)

// sections holds the name of each section, and the verb for its entries. Agents are at the top
// level.
var sections = [...]struct{ name, used string }{
	Agents: {}, Questions: {askSection, "asked"}, Funcs: {funcsSection, "called"}, Tools: {toolsSection, "called"},
	Guards: {guardsSection, "asked"},
}

// IsSection reports whether a section has the name, so that no agent can have it in a script.
func IsSection(name string) bool {
	return slices.ContainsFunc(sections[Questions:], func(s struct{ name, used string }) bool { return s.name == name })
}

// list holds the answers for a name.
type list struct {
	name    string
	answers []Answer
}

// Add adds answers for a name. Without answers, the script declares that nothing answers for the
// name.
func (s *Script) Add(section Section, name string, answers ...Answer) {
	of := ir.First(s.lists[section], func(l *list) bool { return l.name == name })
	if of == nil {
		of = &list{name: name}
		s.lists[section] = append(s.lists[section], of)
	}
	of.answers = append(of.answers, answers...)
}

// Has reports whether the name was added to a section.
func (s *Script) Has(section Section, name string) bool {
	return slices.ContainsFunc(s.lists[section], func(l *list) bool { return l.name == name })
}

// JSON returns the script as a JSON file. It fails if a value of an answer is not JSON.
func (s *Script) JSON() ([]byte, error) {
	var top []string
	if len(s.Comment) > 0 {
		top = append(top, words.Quote(comment)+":["+strings.Join(ir.Map(s.Comment, words.Quote), ",")+"]")
	}
	top = append(top, formatJSONLists(s.lists[Agents])...)
	for section, of := range sections {
		if lists := s.lists[section]; of.name != "" && len(lists) > 0 {
			top = append(top, words.Quote(of.name)+":{"+strings.Join(formatJSONLists(lists), ",")+"}")
		}
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte("{"+strings.Join(top, ",")+"}"), "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')

	return b.Bytes(), nil
}

func formatJSONLists(lists []*list) []string {
	return ir.Map(lists, func(l *list) string {
		answers := ir.Map(l.answers, func(a Answer) string { return a.toEntry().formatJSON() })
		return words.Quote(l.name) + ":[" + strings.Join(answers, ",") + "]"
	})
}

// YAML returns the script as a YAML file.
func (s *Script) YAML() []byte {
	var b strings.Builder
	for _, line := range s.Comment {
		b.WriteString("# " + words.Line(line) + "\n")
	}
	isEmpty := true
	for section, of := range sections {
		lists := s.lists[section]
		if len(lists) == 0 {
			continue
		}
		isEmpty = false
		indent := ""
		if of.name != "" {
			b.WriteString(of.name + ":")
			if !slices.ContainsFunc(lists, func(l *list) bool { return len(l.answers) > 0 }) {
				b.WriteString(" # none is " + of.used)
			}
			b.WriteByte('\n')
			indent = "  "
		}
		for _, l := range lists {
			l.writeYAML(&b, indent)
		}
	}
	if isEmpty {
		b.WriteString(toolsSection + ": {} # nothing is asked\n")
	}

	return []byte(b.String())
}

func (l *list) writeYAML(b *strings.Builder, indent string) {
	b.WriteString(indent + formatYAMLName(l.name) + ":")
	if len(l.answers) == 0 {
		b.WriteString(" []")
	}
	b.WriteByte('\n')
	for _, answer := range l.answers {
		b.WriteString(indent + "  - " + strings.ReplaceAll(answer.toEntry().formatYAML(), "\n", "\n"+indent+"    ") + "\n")
	}
}
