package recording

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// exchange is a request with its outcome, as it stands in a recording.
type exchange struct {
	at, agent string
	request   *request
	reply     *reply
	failure   *failure
}

// encoder writes exchanges as lines. What an earlier request of the file has is not written again, so that a conversation of n turns
// costs in proportion to n.
type encoder struct {
	// begun are beginnings of conversations that stand in the file, with the request that was the first to have one.
	begun map[digest]beginning
	// written are the requests that stand in the file, by their labels.
	written map[string]*skeleton
}

// beginning is the first messages of a request.
type beginning struct {
	label string
	count int
}

// skeleton is what an encoder remembers of a request.
type skeleton struct {
	system, tools, schema digest
	count                 int
}

func newEncoder() *encoder {
	return &encoder{begun: map[digest]beginning{}, written: map[string]*skeleton{}}
}

// append appends the line of an exchange.
func (e *encoder) append(dst []byte, x *exchange) ([]byte, error) {
	q := x.request
	messages := chains(q.messages)
	l := line{
		Request: label(q.key(messages[len(q.messages)]), q.model), At: x.at, Agent: x.agent, Model: q.model,
		Temperature: q.temperature, MaxTokens: q.maxTokens, Reply: x.reply, Error: x.failure,
	}
	own := skeletonOf(q)
	places := e.places(own.system, messages)
	if base, known := e.base(l.Request, places); known {
		e.shorten(&l, q, own, base)
	} else {
		l.System, l.Tools, l.Schema, l.Messages = given(q.system), givenTools(q.tools), given(q.schema), q.messages
	}
	e.remember(l.Request, own, places)

	return appendLine(dst, &l)
}

// places are the digests of the beginnings of a conversation with a system prompt: of no messages, of the first, and so on.
func (e *encoder) places(system digest, messages []digest) []digest {
	places := make([]digest, len(messages))
	for i, m := range messages {
		h := newHasher()
		h.Write(system[:])
		h.Write(m[:])
		places[i] = h.sum()
	}

	return places
}

// base is the beginning that a request shares with one of the file: itself, if it stands there, else the longest.
func (e *encoder) base(label string, places []digest) (beginning, bool) {
	if same := e.written[label]; same != nil {
		return beginning{label, same.count}, true
	}
	for _, place := range slices.Backward(places) {
		if b, known := e.begun[place]; known {
			return b, true
		}
	}

	return beginning{}, false
}

// shorten has a line say only what the request has beside its base.
func (e *encoder) shorten(l *line, q *request, own *skeleton, base beginning) {
	was := e.written[base.label]
	l.Like, l.Messages = base.label, q.messages[base.count:]
	if base.count != was.count {
		l.Keep = &base.count
	}
	if own.system != was.system {
		l.System = &q.system
	}
	if own.tools != was.tools {
		tools := append([]tool{}, q.tools...)
		l.Tools = &tools
	}
	if own.schema != was.schema {
		l.Schema = &q.schema
	}
}

func (e *encoder) remember(label string, own *skeleton, places []digest) {
	own.count = len(places) - 1
	e.written[label] = own
	for i, place := range slices.Backward(places) {
		if _, known := e.begun[place]; known {
			return // and so are all that are shorter
		}
		e.begun[place] = beginning{label, i}
	}
}

// skeletonOf says what a request has, but for its messages.
func skeletonOf(q *request) *skeleton {
	of := func(texts ...string) digest {
		h := newHasher()
		for _, text := range texts {
			h.text(text)
		}

		return h.sum()
	}
	var tools []string
	for _, t := range q.tools {
		tools = append(tools, t.Name, t.Description, string(t.Schema))
	}

	return &skeleton{system: of(q.system), tools: of(tools...), schema: of(string(q.schema))}
}

// given is a text that is there; nil for none.
func given[T ~string](text T) *T {
	if text == "" {
		return nil
	}

	return &text
}

func givenTools(tools []tool) *[]tool {
	if len(tools) == 0 {
		return nil
	}

	return &tools
}

// failure is what a call failed with, and what it has used; nil if that says nothing about the model: whoever waited has gone, or the program is at fault.
func (n normal) failure(err error, used *model.Reply) *failure {
	var failed *model.Error
	var late *runtime.TimeoutError
	switch {
	case errors.As(err, &failed):
		f := &failure{
			Class: string(failed.Class), Status: failed.Status, Message: n.text(failed.Message), Model: n.text(failed.Model),
			Agent: n.text(failed.Agent), RetryAfter: duration(failed.RetryAfter), Usage: usage(used.Usage), Cost: used.Cost,
		}
		if failed.Message == "" && failed.Err != nil {
			f.Message = n.text(failed.Err.Error())
		}

		return f
	case errors.As(err, &late):
		return &failure{What: n.text(late.What), After: duration(late.After), Usage: usage(used.Usage), Cost: used.Cost}
	}

	return nil
}

// error is the failure as an engine gets it from a model.
func (f *failure) error() error {
	if f.After != 0 {
		return &runtime.TimeoutError{What: f.What, After: time.Duration(f.After)}
	}

	return &model.Error{
		Class: model.Class(f.Class), Status: f.Status, Message: f.Message, Model: f.Model, Agent: f.Agent,
		RetryAfter: time.Duration(f.RetryAfter),
	}
}

// used is what the failure has used of a model, as an engine gets it.
func (f *failure) used(name string) model.Reply {
	return model.Reply{Model: cmp.Or(f.Model, name), Usage: model.Usage(f.Usage), Cost: f.Cost}
}
