package sample

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// rule is what a schema asks of a text, its enum left out.
type rule struct {
	least   int // characters
	longest int // -1: any length
	pattern *regexp.Regexp
}

func ruleOf(s *ir.Schema) rule {
	r := rule{longest: -1}
	if s.MinLength != nil {
		r.least = *s.MinLength
	}
	if s.MaxLength != nil {
		r.longest = *s.MaxLength
	}
	if s.GoPattern != "" {
		r.pattern = regexp.MustCompile(s.GoPattern)
	}

	return r
}

func (r rule) takes(text string) bool {
	n := utf8.RuneCountInString(text)

	return n >= r.least && (r.longest < 0 || n <= r.longest) && (r.pattern == nil || r.pattern.MatchString(text))
}

// lengthen returns text, with dots behind it if it is too short; ok says that it fits.
func (r rule) lengthen(text string) (longer string, ok bool) {
	missing := r.least - utf8.RuneCountInString(text)
	if missing > 0 {
		text += strings.Repeat(".", missing)
	}

	return text, r.takes(text)
}

// string returns a text that fits s.
func (m *maker) string(path string, s *ir.Schema, seed int) (string, error) {
	r := ruleOf(s)
	if r.least > most {
		return "", &Error{Path: path, Problem: fmt.Sprintf("a text of %d characters is too long to be made up", r.least)}
	}
	m.made += r.least
	if text, ok := r.lengthen(numbered(m.text, seed)); ok {
		return words.Quote(text), nil
	}
	if r.pattern == nil {
		return words.Quote(short(r.longest, seed)), nil
	}
	if text, ok := r.matching(s.GoPattern, seed); ok {
		return words.Quote(text), nil
	}

	return "", &Error{Path: path, Problem: fmt.Sprintf("no text was found that matches the pattern %q", s.Pattern)}
}

// numbered returns texts that differ: text, text 2, text 3.
func numbered(text string, i int) string {
	if i == 0 {
		return text
	}

	return fmt.Sprintf("%s %d", text, i+1)
}

// short returns the i-th text of exactly n letters: aa, ab, …, ba, …. There are 26 to the power of n.
func short(n, i int) string {
	text := make([]byte, n)
	for at := n - 1; at >= 0; at-- {
		text[at] = byte('a' + i%26)
		i /= 26
	}

	return string(text)
}
