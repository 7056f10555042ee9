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
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 4 || rest[0] == '0' && digits > 1 {
		return false
	}
	index, rest := rest[:digits], rest[digits:]
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
		if !isText || !closes(tail) {
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

// closes reports whether nothing but the ends of the two objects is left, with white space, which servers add at random.
func closes(tail []byte) bool {
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

	return ends == 2
}
