package openai

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"unicode"
)

// maxMessage and maxWord bound what servers say, in bytes: errors stand in logs, and on terminals.
const (
	maxMessage = 600
	maxWord    = 120
)

// clean is text of a server as one line of at most limit bytes, without what could mislead a terminal.
func clean(text string, limit int) string {
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

// lenient is a value that should be text: null is "", and what is neither stands as it was written. A server that writes a number
// for an id is understood.
type lenient string

// UnmarshalJSON implements json.Unmarshaler.
func (l *lenient) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	if raw[0] != '"' {
		*l = lenient(raw)

		return nil
	}

	return json.Unmarshal(raw, (*string)(l))
}

// content is the text of a message: text, null, or a list of parts whose text counts. Parts that are no answer, such as thoughts,
// are left out.
type content string

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(raw []byte) error {
	if !bytes.HasPrefix(raw, []byte("[")) {
		return (*lenient)(c).UnmarshalJSON(raw)
	}
	var parts []struct {
		Type lenient `json:"type"`
		Text lenient `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	var text strings.Builder
	for _, p := range parts {
		if p.Type == "text" || p.Type == "output_text" || p.Type == "" {
			text.WriteString(string(p.Text))
		}
	}
	*c = content(text.String())

	return nil
}

// count is a number of tokens; what is none, or cannot be, is 0.
type count int

// mostTokens bounds a count, so that sums stay numbers.
const mostTokens = 1 << 40

// UnmarshalJSON implements json.Unmarshaler.
func (c *count) UnmarshalJSON(raw []byte) error {
	var n float64
	if json.Unmarshal(raw, &n) == nil && n > 0 {
		*c = count(min(n, mostTokens))
	}

	return nil
}

// money is US dollars as millionths; what is no number, or cannot be, is 0.
type money int64

// mostDollars bounds what a turn can cost, so that sums stay numbers.
const mostDollars = 1e6

// UnmarshalJSON implements json.Unmarshaler. What costs anything costs a millionth at least.
func (m *money) UnmarshalJSON(raw []byte) error {
	var dollars float64
	if json.Unmarshal(raw, &dollars) == nil && dollars > 0 {
		*m = money(math.Ceil(min(dollars, mostDollars) * 1e6))
	}

	return nil
}
