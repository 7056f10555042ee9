// Package words writes what several outputs say in the same way: counts, quoted texts, and texts in lines of a width.
package words

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Count is a number with what is counted.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}

	return fmt.Sprintf("%d %s", n, noun)
}

// List joins texts with commas, and with a word before the last one. If there are more than most, the last word counts the rest.
func List(texts []string, word string, most int) string {
	if more := len(texts) - most + 1; more > 1 {
		texts = append(slices.Clone(texts[:most-1]), fmt.Sprintf("%d more", more))
	}
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}

	return strings.Join(texts[:last], ", ") + " " + word + " " + texts[last]
}

// Cut shortens a text to at most most characters. An ellipsis marks the cut.
func Cut(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}

	return string(runes[:most-1]) + "…"
}

// Wrap breaks a text at spaces into lines of at most width characters, unless a word is longer. The
// first line begins with first, the others with next.
func Wrap(first, next, text string, width int) string {
	var b strings.Builder
	line, isEmpty := first, true
	for word := range strings.FieldsSeq(text) {
		if !isEmpty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			b.WriteString(line + "\n")
			line, isEmpty = next, true
		}
		if !isEmpty {
			line += " "
		}
		line, isEmpty = line+word, false
	}

	return b.String() + strings.TrimRight(line, " ") + "\n"
}

// Quote writes a text as a JSON string in which <, > and & stay readable.
func Quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a text can always be encoded
	}

	return strings.TrimSuffix(b.String(), "\n")
}

// Line is a text in one line, without characters that a terminal would obey.
func Line(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// Duration writes a duration as short as it can be: 1h30m, 48h, 2s.
func Duration(d time.Duration) string {
	text := d.String()
	if short, isMinutes := strings.CutSuffix(text, "m0s"); isMinutes {
		text = short + "m"
	}
	if short, isHours := strings.CutSuffix(text, "h0m"); isHours {
		text = short + "h"
	}

	return text
}
