package openai

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
)

// lenient and count are values that servers write in several ways.
type (
	lenient = remote.Lenient
	count   = remote.Count
)

// content is the text of a message: text, null, or a list of parts whose text counts. Parts that are not the answer, such as thoughts,
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

// some reports whether a value is there, and neither null nor an empty text.
type some bool

// UnmarshalJSON implements json.Unmarshaler.
func (s *some) UnmarshalJSON(raw []byte) error {
	*s = string(raw) != "null" && string(raw) != `""`

	return nil
}

// money is US dollars as millionths; what is not a number, or cannot be, is 0.
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
