package remote

import (
	"bytes"

	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
)

// Alike reads data of events that are written as one before them was, but for a text, and perhaps another that does not matter: a
// stream says in each of thousands of events who answers what, and adds a word. The zero value knows none.
type Alike struct {
	// before, between and after are what stands around the two texts, with the quotes. With one text there is no between.
	before, between, after []byte
	known                  bool
}

// Span is where a text stands in data, without its quotes. The zero value is none.
type Span struct{ From, To int }

// Learn remembers data that was read, with the text that matters, and one after it that does not, if it has one: they have to be
// JSON strings, which this does not look at.
func (a *Alike) Learn(data []byte, text, filler Span) {
	a.known = true
	a.before = append(a.before[:0], data[:text.From]...)
	a.between = a.between[:0]
	if filler.From > text.To {
		a.between = append(a.between, data[text.To:filler.From]...)
		text.To = filler.To
	}
	a.after = append(a.after[:0], data[text.To:]...)
}

// Text is the text in data that are written as those which were learned; ok is false for any other. All but the text is then what it
// was, since what stands before it, quote by quote, is the same.
func (a *Alike) Text(data []byte) (text string, ok bool) {
	if !a.known || !bytes.HasPrefix(data, a.before) {
		return "", false
	}
	text, rest, ok := jsontext.Cut(data[len(a.before):])
	if !ok {
		return "", false
	}
	rest = data[len(data)-len(rest)-1:] // with the quote
	if len(a.between) > 0 {
		if rest, ok = bytes.CutPrefix(rest, a.between); !ok {
			return "", false
		}
		end := jsontext.End(rest)
		if end < 0 || bytes.IndexByte(rest[:end], '\\') >= 0 {
			return "", false
		}
		rest = rest[end:]
	}

	return text, bytes.Equal(rest, a.after)
}
