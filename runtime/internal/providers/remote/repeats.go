package remote

import (
	"bytes"
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// Repeats decodes JSON that is as what it decoded last, but for a text: a stream says in each of thousands of events who answers what,
// and adds a word. The text is cut out, and what is around it is decoded only if it has changed.
type Repeats[T any] struct {
	// Decode decodes any of it.
	Decode func([]byte) (T, error)
	// Texts are those that are cut out.
	Texts []Text[T]

	// before and after are what was around the text that was cut out last; value is what they were decoded into, with that text.
	before, after []byte
	value         *T
	text          *string
}

// Text is a text of a value.
type Text[T any] struct {
	// Name is what is written before it: `"text":"`.
	Name string
	// In is where it is in a value; nil if the value has none.
	In func(*T) *string
}

// probe replaces a text that was cut out.
const probe = "a text that was cut out"

// fillerName is the name of a text that a server adds at random to every event.
var fillerName = []byte(`"obfuscation":"`)

// Next decodes data. The value is there until the next is decoded.
func (r *Repeats[T]) Next(data []byte) (*T, error) {
	text, ok := r.again(data)
	for i := 0; i < len(r.Texts) && !ok; i++ {
		text, ok = r.learn(data, &r.Texts[i])
	}
	if !ok {
		return r.decode(data)
	}
	*r.text = text

	return r.value, nil
}

func (r *Repeats[T]) decode(data []byte) (*T, error) {
	value, err := r.Decode(data)

	return &value, err
}

// again is the text in data that is as the last was, but for it.
func (r *Repeats[T]) again(data []byte) (text string, ok bool) {
	if r.text == nil || !bytes.HasPrefix(data, r.before) {
		return "", false
	}
	text, behind, ok := jsontext.Cut(data[len(r.before):])

	return text, ok && bytes.Equal(withoutFiller(behind), r.after)
}

// learn decodes data without a text. It is not ok where that is not the text of a value.
func (r *Repeats[T]) learn(data []byte, t *Text[T]) (text string, ok bool) {
	at := bytes.Index(data, []byte(t.Name))
	if at < 0 {
		return "", false
	}
	before := data[:at+len(t.Name)]
	text, behind, ok := jsontext.Cut(data[len(before):])
	if !ok {
		return "", false
	}
	after := withoutFiller(behind)
	value, err := r.decode(slices.Concat(before, []byte(probe), []byte{'"'}, after))
	if err != nil {
		return "", false
	}
	in := t.In(value)
	if in == nil || *in != probe {
		return "", false
	}
	r.before, r.after = append(r.before[:0], before...), append(r.after[:0], after...)
	r.value, r.text = value, in

	return text, true
}

// withoutFiller is the end of JSON without what servers add at random to every event: a filler, and white space.
func withoutFiller(end []byte) []byte {
	if at := bytes.Index(end, fillerName); at >= 0 {
		at += len(fillerName)
		if _, behind, ok := jsontext.Cut(end[at:]); ok {
			end = slices.Concat(end[:at], []byte{'"'}, behind)
		}
	}
	tail := len(bytes.TrimRight(end, "} "))
	if bytes.IndexByte(end[tail:], ' ') < 0 {
		return end
	}

	return slices.Concat(end[:tail], bytes.ReplaceAll(end[tail:], []byte(" "), nil))
}
