// Package jsontext writes texts as JSON strings.
package jsontext

import "unicode/utf8"

// HexDigits are the digits of an escape.
const HexDigits = "0123456789abcdef"

// Append appends text as a JSON string. Invalid UTF-8 becomes U+FFFD; U+2028 and U+2029 are escaped, so that a line
// of output is one line for every reader.
func Append(dst []byte, text string) []byte {
	dst = append(dst, '"')
	from := 0 // what stands as it is, is copied in one go
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			i++

			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if c < utf8.RuneSelf || r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
			dst = appendEscaped(append(dst, text[from:i]...), r)
			from = i + size
		}
		i += size
	}
	dst = append(dst, text[from:]...)

	return append(dst, '"')
}

// appendEscaped appends a character that does not stand as it is.
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
