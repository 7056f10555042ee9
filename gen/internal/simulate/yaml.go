package simulate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/words"
)

// section is a part of a script that is not about an agent.
type section struct {
	kind itemKind
	name string
	// used is what becomes of those that it names.
	used string
}

var sections = []section{{kindAnswer, "ask", "asked"}, {kindResult, "funcs", "called"}, {kindOutput, "tools", "called"}, {kindVerdict, "guards", "asked"}}

// YAML is the script as a file. The comment at its beginning is the caller's, line by line.
func (s *Script) YAML(comment []string) []byte {
	var b strings.Builder
	for _, line := range comment {
		fmt.Fprintf(&b, "# %s\n", words.Line(line))
	}
	for _, list := range s.lists[kindReply] {
		list.write(&b, kindReply, "")
	}
	for _, of := range sections {
		of.write(&b, s.lists[of.kind])
	}
	if len(s.lists) == 0 {
		b.WriteString("tools: {} # nothing is asked\n")
	}

	return []byte(b.String())
}

// write writes a section, unless it has no lists.
func (of section) write(b *strings.Builder, lists []List) {
	switch {
	case len(lists) == 0:
		return
	case slices.ContainsFunc(lists, func(l List) bool { return len(l.Turns) > 0 }):
		fmt.Fprintf(b, "%s:\n", of.name)
	default:
		fmt.Fprintf(b, "%s: # none is %s\n", of.name, of.used)
	}
	for _, list := range lists {
		list.write(b, of.kind, "  ")
	}
}

func (l List) write(b *strings.Builder, kind itemKind, indent string) {
	if len(l.Turns) == 0 {
		fmt.Fprintf(b, "%s%s: []\n", indent, yamlName(l.Name))
		return
	}
	fmt.Fprintf(b, "%s%s:\n", indent, yamlName(l.Name))
	for _, t := range l.Turns {
		fmt.Fprintf(b, "%s  - %s\n", indent, t.yaml(kind))
	}
}

// yaml is a turn in the list of a kind.
func (t Turn) yaml(kind itemKind) string {
	text := ""
	switch {
	case kind == kindVerdict:
		return t.Value
	case kind == kindAnswer:
		return yamlText(t.Say)
	case kind != kindReply && t.Fails:
		return "error: it fails"
	case kind != kindReply:
		return "result: " + yamlJSON(t.Value)
	case t.Fails:
		return "error: {status: 400, message: it fails}"
	case t.Value == "":
		text = "say: " + yamlText(t.Say)
	default:
		text = fmt.Sprintf("finish: {key: %s, value: %s}", yamlText(t.Key), yamlJSON(t.Value))
	}
	if t.Calls != "" {
		text = "call: " + yamlJSON(t.Calls) + "\n    " + text
	}
	if t.Signal != "" {
		text += "\n    signal: " + yamlText(t.Signal)
	}

	return text
}

// wordForm is that of names that need no quotes, unless they mean something else in YAML.
var wordForm = regexp.MustCompile(`^[a-z_][a-z0-9_/@-]*$`)

// otherMeanings are words that some reader of YAML takes for no text.
var otherMeanings = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

func yamlName(name string) string {
	if wordForm.MatchString(name) && !slices.Contains(otherMeanings, name) {
		return name
	}

	return words.Quote(name)
}

func yamlText(text string) string { return yamlJSON(words.Quote(text)) }

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
