package validate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// expectation says what a schema wants, in words.
func expectation(s *schema) string {
	if text := s.word(func(w words) string { return w.Expect }); text != "" {
		return text
	}
	types := s.types()
	var words []string
	for _, t := range types {
		isKept := slices.Contains(types, "string") && (t == "number" || t == "boolean") // any scalar is kept as text
		if word := typeWords[t]; word != "" && !isKept && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	if words == nil {
		return "absent"
	}

	return strings.Join(words, " or ")
}

// typeWords are the types of JSON Schema in words.
var typeWords = map[string]string{
	"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false", "array": "a list", "object": "a mapping",
}

// found says what is there: the kind, and the text of a scalar.
func found(n *yamldoc.Node) string {
	text, ok := n.Scalar()
	if !ok {
		return n.Kind.String()
	}
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:40]) + "…"
	}
	if n.Kind == yamldoc.String {
		return fmt.Sprintf("%q", text)
	}

	return text
}

// legalOf says whose fields a list of legal fields names.
func (r *reporter) legalOf(t *target) string {
	switch {
	case t.up != nil:
		return r.of(t)
	case r.patternKnown:
		return " of pattern " + r.pattern
	}

	return " of " + formatNames[r.kind].file
}

// list writes names as a sentence does.
func list(names []string) string { return strings.Join(names, ", ") }

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}

	return strings.Join(quoted, ", ")
}

// nearField returns the field or value that was meant by a name that is none: the nearest by edits, else the only one that
// begins like it (prio).
func nearField(name string, candidates []string) (near string, ok bool) {
	if near, ok := diag.Nearest(name, candidates); ok {
		return near, true
	}

	var longer []string
	for _, c := range candidates {
		if len(name) >= 3 && (strings.HasPrefix(c, name) || strings.HasPrefix(name, c) && len(c) >= 3) {
			longer = append(longer, c)
		}
	}
	if len(longer) == 1 {
		return longer[0], true
	}

	return "", false
}

// suggest adds the near one of the candidates to a diagnostic: as a hint, and as a fix where the name is literally under
// the diagnostic and nothing else is as near. A word that a single name begins with is near enough; one that continues where a
// name ends may be anything, so that it is never replaced.
func suggest(d *diag.Diagnostic, name, near string, candidates []string) {
	d.WithHint("did you mean %q?", near)
	beginning := strings.HasPrefix(near, name)
	if span, stands := diag.Literally(d.Span, name); stands && (beginning || !continues(name, near) && diag.Alone(name, near, candidates)) {
		d.WithFix(fmt.Sprintf("replace %q with %q", name, near), span, near)
	}
}

// continues reports whether a name is another one with more behind it, such as tama.depends and tama. One more letter is a typing error.
func continues(name, near string) bool {
	rest, ok := strings.CutPrefix(name, near)

	return ok && (utf8.RuneCountInString(rest) > 1 || strings.ContainsAny(rest, ".-_"))
}
