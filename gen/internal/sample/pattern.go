package sample

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
