// Package jsontext writes texts as JSON strings.
package jsontext

import "unicode/utf8"

// HexDigits are the digits of an escape.
const HexDigits = "0123456789abcdef"

// Append appends text as a JSON string. Invalid UTF-8 becomes U+FFFD; U+2028 and U+2029 are escaped, so that a line
// of output is one line for every reader.
func Append(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			dst = appendASCII(dst, c)
			i++

			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, `\ufffd`...)
		case r == '\u2028' || r == '\u2029':
			dst = append(dst, `\u202`...)
			dst = append(dst, HexDigits[r&0xf])
		default:
			dst = append(dst, text[i:i+size]...)
		}
		i += size
	}

	return append(dst, '"')
}

func appendASCII(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	if c < ' ' || c == 0x7f {
		return append(dst, '\\', 'u', '0', '0', HexDigits[c>>4], HexDigits[c&0xf])
	}

	return append(dst, c)
}
