package jsontext

import "strings"

// isSpace reports whether a byte is white space between the tokens of JSON.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// Compact appends valid JSON without white space between its tokens, so that an event stays one line.
func Compact(dst []byte, value string) []byte {
	quoted := false
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case quoted && c == '\\':
			dst = append(dst, c)
			i++
			c = value[i]
		case c == '"':
			quoted = !quoted
		case !quoted && isSpace(c):
			continue
		case strings.HasPrefix(value[i:], "\u2028"), strings.HasPrefix(value[i:], "\u2029"):
			dst = append(dst, `\u202`...)
			i += len("\u2028") - 1
			c = HexDigits[value[i]&0xf]
		}
		dst = append(dst, c)
	}

	return dst
}
