// Package jsontext writes texts as JSON strings and reads them, and reads objects as they are written.
package jsontext

import "unicode/utf8"

// HexDigits are the digits of an escape.
const HexDigits = "0123456789abcdef"

// Append appends text as a JSON string. Invalid UTF-8 becomes U+FFFD; U+2028 and U+2029 are escaped, so that a line
// of output is one line for every reader.
func Append(dst []byte, text string) []byte {
	dst = append(dst, '"')
	from := 0 // what is as it is, is copied in one go
	for i := plain(text); i < len(text); {
		c := text[i]
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		isInvalid := r == utf8.RuneError && size == 1
		isLineEnd := r == '\u2028' || r == '\u2029'
		if c < utf8.RuneSelf || isInvalid || isLineEnd {
			dst = appendEscaped(append(dst, text[from:i]...), r)
			from = i + size
		}
		i += size
		i += plain(text[i:])
	}
	dst = append(dst, text[from:]...)

	return append(dst, '"')
}

// plain is how many bytes at the beginning of a text are in a JSON string as they are: nearly all that a conversation consists of.
func plain[T string | []byte](text T) int {
	i := 0
	for ; i+8 <= len(text) && allPlain(text[i:i+8]); i += 8 {
	}
	for i < len(text) && isPlain(text[i]) {
		i++
	}

	return i
}

// isPlain reports whether a byte is in a JSON string as it is.
func isPlain(c byte) bool { return c >= ' ' && c < 0x7f && c != '"' && c != '\\' }

// allPlain looks at eight bytes at once. In a term for each kind of byte that is not copied as it is, such a byte comes out with its
// highest bit set. It may set that of a byte after it as well; plain bytes alone set none.
func allPlain[T string | []byte](b T) bool {
	const each, top = 0x0101010101010101, 0x8080808080808080
	_ = b[7]
	word := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
	control, del := word-each*' ', word+each
	quote, backslash := (word^each*'"')-each, (word^each*'\\')-each

	return (word|control|del|quote|backslash)&top == 0
}

// appendEscaped appends a character that is not copied as it is.
func appendEscaped(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}

	return append(dst, '\\', 'u', HexDigits[r>>12&0xf], HexDigits[r>>8&0xf], HexDigits[r>>4&0xf], HexDigits[r&0xf])
}
