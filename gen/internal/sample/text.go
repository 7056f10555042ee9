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

// rule holds the limits of a schema for texts, without its enum.
type rule struct {
	least   int // characters
	longest int // -1: any length
	pattern *regexp.Regexp
}

func textRule(s *ir.Schema) rule {
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

func (r rule) accepts(text string) bool {
	n := utf8.RuneCountInString(text)

	return n >= r.least && (r.longest < 0 || n <= r.longest) && r.matchesPattern(text)
}

func (r rule) matchesPattern(text string) bool {
	return r.pattern == nil || r.pattern.MatchString(text)
}

// lengthen returns text, with dots at the end if it is too short, and reports whether the result
// fits.
func (r rule) lengthen(text string) (longer string, ok bool) {
	missing := r.least - utf8.RuneCountInString(text)
	if missing > 0 {
		text += strings.Repeat(".", missing)
	}

	return text, r.accepts(text)
}

// makeText returns a text that fits s.
func (m *maker) makeText(path string, s *ir.Schema, seed int) (string, error) {
	r := textRule(s)
	if r.least > most {
		return "", &Error{Path: path, Problem: fmt.Sprintf("a text of %d characters is too long to be made up", r.least)}
	}
	m.made += r.least
	if text, ok := r.lengthen(appendNumber(m.text, seed)); ok {
		return words.Quote(text), nil
	}
	if r.pattern == nil {
		return words.Quote(makeShortText(r.longest, seed)), nil
	}
	if text, ok := r.findMatch(s.GoPattern, seed); ok {
		return words.Quote(text), nil
	}

	return "", &Error{Path: path, Problem: fmt.Sprintf("no text was found that matches the pattern %q", s.Pattern)}
}

// appendNumber returns texts that differ in their number: text, text 2, text 3.
func appendNumber(text string, i int) string {
	if i == 0 {
		return text
	}

	return fmt.Sprintf("%s %d", text, i+1)
}

// makeShortText returns the i-th text of exactly n letters: aa, ab, …, ba, …. There are 26 to the power
// of n.
func makeShortText(n, i int) string {
	text := make([]byte, n)
	for at := n - 1; at >= 0; at-- {
		text[at] = byte('a' + i%26)
		i /= 26
	}

	return string(text)
}

// findMatch returns a text that matches pattern and that the rule accepts. It makes texts from the
// pattern in more and more ways, with other branches and more repetitions, and begins with the way
// of the seed. The rule then decides about anchors, word boundaries and lengths.
func (r rule) findMatch(pattern string, seed int) (text string, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	re = re.Simplify()
	for i := seed; i < seed+ways; i++ {
		way := i / 8
		repeat := []int{0, 1, r.least, way + 1}[i%4]
		w := writer{way: way, counts: i%8 >= 4, repeat: repeat, most: r.least + 1000}
		w.writePattern(re)
		for _, text := range padTexts(w.text.String(), r.least) {
			if r.accepts(text) {
				return text, true
			}
		}
	}

	return "", false
}

// ways is the number of ways to try.
const ways = 8 * 64

// padTexts returns text and, if it is too short, text with letters after it and before it.
func padTexts(text string, least int) []string {
	missing := least - utf8.RuneCountInString(text)
	if missing <= 0 {
		return []string{text}
	}
	more := strings.Repeat("a", missing)

	return []string{text, text + more, more + text}
}

// writer writes a text that matches a regular expression.
type writer struct {
	text strings.Builder
	// way selects branches and characters. repeat is the number of repetitions where the expression
	// allows any number.
	way, repeat int
	// counts makes the digits of way the choices, so that every combination occurs in the end.
	// Otherwise each choice changes in a later way, and the first choices change more often.
	counts  bool
	choices int
	// most is roughly the maximum number of bytes.
	most int
}

// chooseBelow returns a number below n: 0 in the first way, and others in later ways.
func (w *writer) chooseBelow(n int) int {
	if w.counts {
		digit := w.way % n
		w.way /= n
		return digit
	}
	w.choices++

	return (w.way / w.choices) % n
}

func (w *writer) writePattern(re *syntax.Regexp) {
	if w.text.Len() > w.most {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			w.text.WriteRune(r)
		}
	case syntax.OpCharClass:
		w.writeCharacter(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.text.WriteByte("abcdefghijklmnopqrstuvwxyz"[w.chooseBelow(26)])
	case syntax.OpCapture:
		w.writePattern(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			w.writePattern(sub)
		}
	case syntax.OpAlternate:
		w.writePattern(re.Sub[w.chooseBelow(len(re.Sub))])
	case syntax.OpStar, syntax.OpQuest, syntax.OpPlus:
		w.writeRepeated(re)
	}
}

func (w *writer) writeRepeated(re *syntax.Regexp) {
	times := w.repeat
	switch re.Op {
	case syntax.OpPlus:
		times = max(times, 1)
	case syntax.OpQuest:
		times = min(times, 1)
	}
	for before := -1; times > 0 && before < w.text.Len() && before < w.most; times-- {
		before = w.text.Len()
		w.writePattern(re.Sub[0])
	}
}

// writeCharacter writes a character of a class, which is a list of ranges. It prefers letters and
// digits.
func (w *writer) writeCharacter(class []rune) {
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
		return printableRank(b) - printableRank(a)
	})
	all := append(plain, other...)
	if len(all) > 0 {
		w.text.WriteRune(all[w.chooseBelow(len(all))])
	}
}

func printableRank(r rune) int {
	if unicode.IsPrint(r) {
		return 1
	}

	return 0
}
