package walk

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/sample"
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
		}
	}
	if len(s.Answers) > 0 {
		b.WriteString("ask:\n")
	}
	for _, list := range s.Answers {
		fmt.Fprintf(&b, "  %s:\n", yamlName(list.Name))
		for _, t := range list.Turns {
			fmt.Fprintf(&b, "    - %s\n", yamlJSON(sample.Quote(t.Say)))
		}
	}
	if len(s.Tools) > 0 {
		b.WriteString("tools: # none is called\n")
	}
	for _, tool := range s.Tools {
		fmt.Fprintf(&b, "  %s: []\n", yamlName(tool))
	}

	return []byte(b.String())
}

func (t Turn) yaml() string {
	if t.Value == "" {
		return "say: " + yamlJSON(sample.Quote(t.Say))
	}

	return fmt.Sprintf("finish: {key: %s, value: %s}", yamlJSON(sample.Quote(t.Key)), yamlJSON(t.Value))
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

// yamlJSON writes JSON so that it is YAML, which has no characters that cannot be printed. They can only stand in
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
