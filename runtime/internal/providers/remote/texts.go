package remote

import (
	"sync"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// Texts are the texts of the last request as they were written: the next of a conversation begins
// with the same ones, which then are copied. The zero value knows none. It is safe for concurrent
// use; conversations that take turns only find less.
type Texts struct {
	mu   sync.Mutex
	last writtenTexts
}

// writtenTexts are texts of a body in their order.
type writtenTexts struct {
	body  []byte
	texts []writtenText
}

type writtenText struct {
	text     string
	form     form
	from, to int
}

// form is as what a text is written.
type form int

const (
	asText form = iota
	asArguments
	asArgumentsText
)

func (f form) append(dst []byte, text string) []byte {
	switch f {
	case asArguments:
		return append(dst, Arguments(text)...)
	case asArgumentsText:
		return jsontext.Append(dst, Arguments(text))
	}

	return jsontext.Append(dst, text)
}

// How long a text is at least that is worth looking for, and the most bytes of a body that is kept.
const (
	leastText = 64
	mostBody  = 16 << 20
)

// Writing are the texts of a request that is being written.
type Writing struct {
	known writtenTexts
	texts []writtenText
}

// Begin begins a request.
func (t *Texts) Begin() *Writing {
	t.mu.Lock()
	defer t.mu.Unlock()

	return &Writing{known: t.last, texts: make([]writtenText, 0, len(t.last.texts)+2)}
}

// Append appends a text as a JSON string.
func (w *Writing) Append(dst []byte, text string) []byte {
	if len(text) < leastText {
		return jsontext.Append(dst, text)
	}

	return w.append(dst, text, asText)
}

// Arguments appends the arguments of a call as they are in a conversation. Short ones are found again, too: they are looked at whether
// they can be sent, which takes longer than to write them.
func (w *Writing) Arguments(dst []byte, args string) []byte { return w.append(dst, args, asArguments) }

// ArgumentsText is Arguments as a JSON string.
func (w *Writing) ArgumentsText(dst []byte, args string) []byte {
	return w.append(dst, args, asArgumentsText)
}

func (w *Writing) append(dst []byte, text string, form form) []byte {
	nth, from := len(w.texts), len(dst)
	if nth < len(w.known.texts) && w.known.texts[nth].form == form && w.known.texts[nth].text == text {
		dst = append(dst, w.known.body[w.known.texts[nth].from:w.known.texts[nth].to]...)
	} else {
		dst = form.append(dst, text)
	}
	w.texts = append(w.texts, writtenText{text, form, from, len(dst)})

	return dst
}

// End remembers a request, which must not change from now on.
func (t *Texts) End(w *Writing, body []byte) {
	if len(body) > mostBody {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = writtenTexts{body, w.texts}
}
