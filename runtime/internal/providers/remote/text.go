package remote

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxMessage and MaxWord bound what servers say, in bytes: errors are in logs, and on terminals.
const (
	MaxMessage = 600
	MaxWord    = 120
)

// Clean is text of a server as one line of at most limit bytes, without what could mislead a terminal.
func Clean(text string, limit int) string {
	if len(text) > 4*limit {
		text = text[:4*limit]
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}

		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= limit {
		return text
	}

	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// Lenient is a value that should be text: null is "", and what is neither is as it was written. A server that writes a number
// for an id is understood. It is UTF-8 in any case: journals keep nothing else.
type Lenient string

// UnmarshalJSON implements json.Unmarshaler.
func (l *Lenient) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	if raw[0] != '"' {
		*l = Lenient(bytes.ToValidUTF8(raw, []byte("\ufffd")))

		return nil
	}

	if inside := raw[1 : len(raw)-1]; bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) { // as nearly all are
		*l = Lenient(inside)

		return nil
	}

	return json.Unmarshal(raw, (*string)(l))
}

// Count is a number of tokens, which may be written as text; what is none, or cannot be, is 0.
type Count int

// MostTokens bounds a count, so that sums stay numbers.
const MostTokens = 1 << 40

// UnmarshalJSON implements json.Unmarshaler. null changes nothing.
func (c *Count) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(strings.Trim(string(raw), `"`)), 64)
	if err != nil || math.IsNaN(n) {
		n = 0
	}
	*c = Count(min(max(n, 0), MostTokens))

	return nil
}
