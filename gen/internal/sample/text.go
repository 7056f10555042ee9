package sample

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
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

// matching finds a text that the rule, with this pattern, takes. Texts are made from the pattern in more and more ways, with other
// branches and more repetitions, beginning with the way that the seed says: anchors, bounds of words and lengths are left to judgement.
func (r rule) matching(pattern string, seed int) (text string, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	re = re.Simplify()
	for i := seed; i < seed+ways; i++ {
		way := i / 8
		repeat := []int{0, 1, r.least, way + 1}[i%4]
		w := writer{way: way, counts: i%8 >= 4, repeat: repeat, most: r.least + 1000}
		w.write(re)
		for _, text := range around(w.text.String(), r.least) {
			if r.takes(text) {
				return text, true
			}
		}
	}

	return "", false
}

// ways is how many ways are tried.
const ways = 8 * 64

// around returns text, and text with letters before or behind it where it is too short.
func around(text string, least int) []string {
	missing := least - utf8.RuneCountInString(text)
	if missing <= 0 {
		return []string{text}
	}
	more := strings.Repeat("a", missing)

	return []string{text, text + more, more + text}
}

// writer writes a text that matches an expression.
type writer struct {
	text strings.Builder
	// way chooses among branches and characters, repeat is how often is repeated what may be repeated at will.
	way, repeat int
	// counts says that the choices are the digits of way, so that all are made with the others in the end. Else each
	// choice is another one in a later way, the first ones more often.
	counts  bool
	choices int
	// most is how many bytes are written at most, about.
	most int
}

// choose returns one of n possibilities: the first in the first way, and others in later ones.
func (w *writer) choose(n int) int {
	if w.counts {
		digit := w.way % n
		w.way /= n
		return digit
	}
	w.choices++

	return (w.way / w.choices) % n
}

func (w *writer) write(re *syntax.Regexp) {
	if w.text.Len() > w.most {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			w.text.WriteRune(r)
		}
	case syntax.OpCharClass:
		w.character(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.text.WriteByte("abcdefghijklmnopqrstuvwxyz"[w.choose(26)])
	case syntax.OpCapture:
		w.write(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			w.write(sub)
		}
	case syntax.OpAlternate:
		w.write(re.Sub[w.choose(len(re.Sub))])
	case syntax.OpStar, syntax.OpQuest, syntax.OpPlus:
		w.repeated(re)
	}
}

func (w *writer) repeated(re *syntax.Regexp) {
	times := w.repeat
	switch re.Op {
	case syntax.OpPlus:
		times = max(times, 1)
	case syntax.OpQuest:
		times = min(times, 1)
	}
	for before := -1; times > 0 && before < w.text.Len() && before < w.most; times-- {
		before = w.text.Len()
		w.write(re.Sub[0])
	}
}

// character writes a character of a class, which is a list of ranges: a letter or a digit if there is one.
func (w *writer) character(class []rune) {
	var plain, other []rune
	for i := 0; i+1 < len(class); i += 2 {
		for r := class[i]; r <= class[i+1] && len(plain) < 64 && len(other) < 64; r++ {
			switch {
			case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
				plain = append(plain, r)
			case utf8.ValidRune(r):
				other = append(other, r)
			}
		}
	}
	slices.SortStableFunc(other, func(a, b rune) int {
		return readable(b) - readable(a)
	})
	if all := append(plain, other...); len(all) > 0 {
		w.text.WriteRune(all[w.choose(len(all))])
	}
}

func readable(r rune) int {
	if unicode.IsPrint(r) {
		return 1
	}

	return 0
}
