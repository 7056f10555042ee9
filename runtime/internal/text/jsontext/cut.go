package jsontext

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Cut reads a JSON string whose first quote has been read, and returns what follows its last. What it reads is what encoding/json
// reads; ok is false for what is not a JSON string, and for one that is not UTF-8, which encoding/json would change.
func Cut(in []byte) (text string, rest []byte, ok bool) {
	end := bytes.IndexByte(in, '"')
	if end < 0 {
		return "", nil, false
	}
	if raw := in[:end]; straight(raw) {
		return string(raw), in[end+1:], true
	}
	end = End(in)
	if end < 0 || !utf8.Valid(in[:end]) {
		return "", nil, false
	}
	if bytes.IndexByte(in[:end], '\\') < 0 {
		return string(in[:end]), in[end+1:], true
	}
	quoted := make([]byte, 0, end+2)
	quoted = append(append(append(quoted, '"'), in[:end]...), '"')
	if json.Unmarshal(quoted, &text) != nil {
		return "", nil, false
	}

	return text, in[end+1:], true
}

// straight reports whether text is in a JSON string as it is, and is ASCII.
func straight(raw []byte) bool { return plain(raw) == len(raw) }

// End is where the last quote of a JSON string is, whose first has been read; -1 if there is none, or a control character before
// it. Escapes are passed over, and not looked at.
func End(in []byte) int {
	for i := 0; i < len(in); i++ {
		switch c := in[i]; {
		case c == '"':
			return i
		case c < ' ':
			return -1
		case c == '\\':
			i++
		}
	}

	return -1
}
