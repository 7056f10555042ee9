package anthropic

import (
	"bytes"

	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
	"github.com/agentc-dev/agentc/runtime/internal/remote"
)

// quickDelta reads an event that adds a text of any kind to a block, written as servers write it: a reply has one for every few letters,
// and encoding/json takes several times as long. Whatever is unusual is not ok and left to encoding/json; what is ok is what
// encoding/json makes of it, too.
func (e *event) quickDelta(data []byte) bool {
	rest, ok := bytes.CutPrefix(data, []byte(`{"type":"content_block_delta","index":`))
	if !ok {
		return false
	}
	index, rest, ok := cutIndex(rest)
	if !ok {
		return false
	}
	rest, ok = bytes.CutPrefix(rest, []byte(`,"delta":{"type":"`))
	if !ok {
		return false
	}
	for i := range kinds {
		kind := &kinds[i]
		value, is := bytes.CutPrefix(rest, kind.between)
		if !is {
			continue
		}
		text, tail, isText := jsontext.Cut(value)
		if !isText || !closes(tail, 2) {
			return false
		}
		e.Type, e.Index, e.Delta.Type = "content_block_delta", remote.Lenient(index), kind.name
		*kind.of(&e.Delta) = remote.Lenient(text)

		return true
	}

	return false
}

// kinds are the kinds of texts, with what stands between the type of the delta and the text.
var kinds = []struct {
	name    remote.Lenient
	between []byte
	of      func(*delta) *remote.Lenient
}{
	{"text_delta", []byte(`text_delta","text":"`), func(d *delta) *remote.Lenient { return &d.Text }},
	{"input_json_delta", []byte(`input_json_delta","partial_json":"`), func(d *delta) *remote.Lenient { return &d.JSON }},
	{"thinking_delta", []byte(`thinking_delta","thinking":"`), func(d *delta) *remote.Lenient { return &d.Thinking }},
}

// quickStop reads an event that ends a block or the message, as quickDelta does one that adds to it. They say no more than that.
func (e *event) quickStop(data []byte) bool {
	if rest, ok := bytes.CutPrefix(data, []byte(`{"type":"message_stop"`)); ok && closes(rest, 1) {
		e.Type = "message_stop"

		return true
	}
	rest, ok := bytes.CutPrefix(data, []byte(`{"type":"content_block_stop","index":`))
	if !ok {
		return false
	}
	if _, rest, ok = cutIndex(rest); !ok || !closes(rest, 1) {
		return false
	}
	e.Type = "content_block_stop"

	return true
}

// cutIndex cuts the number of a block off.
func cutIndex(data []byte) (index, rest []byte, ok bool) {
	digits := 0
	for digits < len(data) && data[digits] >= '0' && data[digits] <= '9' {
		digits++
	}
	ok = digits > 0 && digits <= 4 && (data[0] != '0' || digits == 1)

	return data[:digits], data[digits:], ok
}

// closes reports whether nothing but the ends of so many objects is left, with white space, which servers add at random.
func closes(tail []byte, objects int) bool {
	ends := 0
	for _, c := range tail {
		switch c {
		case '}':
			ends++
		case ' ':
		default:
			return false
		}
	}

	return ends == objects
}
