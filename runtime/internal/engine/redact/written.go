package redact

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// written finds the secret wherever each of its characters is written in one of the ways of [spellings].
func (s secret) written(text string) []place {
	var found []place
	_, size := utf8.DecodeRuneInString(s.value)
	begins := "%\\&" + s.value[:size] // not +: no value begins with a space
	for from := 0; ; {
		at := strings.IndexAny(text[from:], begins)
		if at < 0 {
			return found
		}
		start := from + at
		if end := match(text, start, s.value); end > 0 {
			found = addOrExtend(found, place{start, end, s.name, len(s.value)})
		}
		from = start + 1
	}
}

// match returns where the value ends that begins at start of text; 0 if none does. A character may end at several places, as
// where a % of the value is followed by 25: all of them are gone after, and the longest way counts.
func match(text string, start int, value string) int {
	var here, there [4]int // enough for all but the strangest values
	ends, next := append(here[:0], start), there[:0]
	for value != "" && len(ends) > 0 {
		r, size := utf8.DecodeRuneInString(value)
		next = next[:0]
		for _, end := range ends {
			if spaces := leading(value); spaces > 0 {
				next, size = gaps(next, text, end), spaces
			} else {
				next = spellings(next, text, end, value[:size], r)
			}
		}
		if len(next) > len(there) { // many backslashes can be read in many ways that end at the same places
			slices.Sort(next)
			next = slices.Compact(next)
		}
		ends, next, value = next, ends, value[size:]
	}

	longest := 0
	for _, end := range ends {
		longest = max(longest, end)
	}

	return longest
}

// space is what may be where a value has any of it, as often as there is room: values of several lines are often shown in one, or
// further to the right.
const space = " \n\t\r"

// leading is how much space a value begins with.
func leading(value string) int { return len(value) - len(strings.TrimLeft(value, space)) }

// widest is how much space is looked at: more than anybody writes between two words.
const widest = 256

// gaps appends to ends where space ends that begins at start, each place at which that may be.
func gaps(ends []int, text string, start int) []int {
	from, at := len(ends), start
	for begin := from; ; begin++ {
		for i, r := range space {
			for _, end := range spellings(nil, text, at, space[i:i+1], r) {
				if !slices.Contains(ends[from:], end) {
					ends = append(ends, end)
				}
			}
		}
		if begin == len(ends) || begin == from+widest {
			return ends
		}
		at = ends[begin]
	}
}

// spellings appends to ends where a character ends that begins at start of text, in each way of writing it.
func spellings(ends []int, text string, start int, char string, r rune) []int {
	rest := text[start:]
	if rest == "" {
		return ends
	}
	if strings.HasPrefix(rest, char) {
		ends = append(ends, start+len(char))
	}
	length := 0
	switch rest[0] {
	case '%':
		length = percent(rest, char)
	case '\\':
		if r == '\\' {
			return escaped(ends, rest, start)
		}
		length = escape(rest, r)
	case '&':
		length = reference(rest, r)
	case '+':
		if r == ' ' {
			length = 1
		}
	}
	if length > 0 {
		ends = append(ends, start+length)
	}

	return ends
}

// escaped appends where a backslash ends that begins at start: each time that it is written as JSON, there are twice as many.
func escaped(ends []int, rest string, start int) []int {
	for n := 2; n <= backslashes(rest); n *= 2 {
		ends = append(ends, start+n)
	}
	if length := escape(rest, '\\'); length > 0 {
		ends = append(ends, start+length)
	}

	return ends
}

// percent is the length of a character as %XX for each of its bytes; 0 if rest does not begin with it.
func percent(rest, char string) int {
	for i := range len(char) {
		at := 3 * i
		if at+3 > len(rest) || rest[at] != '%' {
			return 0
		}
		if b, err := strconv.ParseUint(rest[at+1:at+3], 16, 8); err != nil || byte(b) != char[i] {
			return 0
		}
	}

	return 3 * len(char)
}

// shortEscapes are the escapes of JSON with one letter, but for the backslash.
var shortEscapes = map[rune]byte{
	'"': '"', '/': '/', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't',
}

// deepest is how many backslashes are before a letter at most: text is JSON in JSON in JSON then.
const deepest = 8

// escape is the length of a character as an escape of JSON; 0 if rest does not begin with it. Where JSON is in a string of JSON,
// there are more backslashes.
func escape(rest string, r rune) int {
	slashes := backslashes(rest)
	if slashes == 0 || slashes == len(rest) {
		return 0
	}
	if short, ok := shortEscapes[r]; ok && rest[slashes] == short {
		return slashes + 1
	}
	length := 0
	for _, unit := range utf16.AppendRune(nil, r) {
		slashes := backslashes(rest[length:])
		at := length + slashes + 1
		if slashes == 0 || at+4 > len(rest) || rest[at-1] != 'u' {
			return 0
		}
		if got, err := strconv.ParseUint(rest[at:at+4], 16, 16); err != nil || uint16(got) != unit {
			return 0
		}
		length = at + 4
	}

	return length
}

// backslashes is how many rest begins with, as far as that matters.
func backslashes(rest string) int {
	n := 0
	for n < min(len(rest), deepest) && rest[n] == '\\' {
		n++
	}

	return n
}

// named are the references of HTML that have a name and are written by those who escape text.
var named = map[rune]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&quot;", '\'': "&apos;"}

// longestReference is the longest spelling of a number that is looked at: &#x with zeros before it.
const longestReference = 12

// reference is the length of a character as a reference of HTML; 0 if rest does not begin with it.
func reference(rest string, r rune) int {
	if name := named[r]; name != "" && strings.HasPrefix(rest, name) {
		return len(name)
	}
	if !strings.HasPrefix(rest, "&#") {
		return 0
	}
	end := strings.IndexByte(rest[:min(len(rest), longestReference)], ';')
	if end < 0 {
		return 0
	}
	number, base := rest[2:end], 10
	if strings.HasPrefix(number, "x") || strings.HasPrefix(number, "X") {
		number, base = number[1:], 16
	}
	if got, err := strconv.ParseUint(number, base, 32); err != nil || rune(got) != r {
		return 0
	}

	return end + 1
}
