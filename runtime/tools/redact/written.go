package redact

import (
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
			found = extended(found, place{start, end, s.name, len(s.value)})
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
			next = spellings(next, text, end, value[:size], r)
		}
		ends, next, value = next, ends, value[size:]
	}

	longest := 0
	for _, end := range ends {
		longest = max(longest, end)
	}

	return longest
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

// shortEscapes are the escapes of JSON with one letter.
var shortEscapes = map[rune]byte{
	'"': '"', '\\': '\\', '/': '/', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't',
}

// escape is the length of a character as an escape of JSON; 0 if rest does not begin with it.
func escape(rest string, r rune) int {
	if len(rest) < 2 {
		return 0
	}
	if short, ok := shortEscapes[r]; ok && rest[1] == short {
		return 2
	}
	units := utf16.AppendRune(nil, r)
	for i, unit := range units {
		at := 6 * i
		if at+6 > len(rest) || rest[at] != '\\' || rest[at+1] != 'u' {
			return 0
		}
		if got, err := strconv.ParseUint(rest[at+2:at+6], 16, 16); err != nil || uint16(got) != unit {
			return 0
		}
	}

	return 6 * len(units)
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
