package remote

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Reading is a reply on its way in.
type Reading struct {
	// Key is what no reply shows.
	Key Key
	// Thought reports whether the model has thought, so that a reply without a text is one.
	Thought bool

	client    *Client
	request   *model.Request
	watch     *Watch
	requestID string
	delta     func(string)
	thoughts  Thoughts
	veil      Veil
	ids       ids
	calls     int
}

// How long is waited for what follows a reply that is complete: the tokens that it used or its last event, and the end of the stream,
// after which the connection can be used again.
const (
	waitForLast = 10 * time.Second
	waitForEnd  = 250 * time.Millisecond
	// mostTail bounds what is read of that, in bytes.
	mostTail = 64 << 10
)

// read reads a reply as what it is: some gateways answer in one piece, and others in parts, whatever they are asked.
func (r *Reading) read(response *http.Response) (model.Reply, error) {
	in := bufio.NewReader(response.Body)
	inParts, err := r.client.Endpoint.InParts(response, in, r.client.Name)
	if err != nil {
		return model.Reply{}, err
	}
	d := r.client.Format.Draft(r)
	if inParts {
		return r.parts(d, in)
	}
	text, err := ReadAll(in, response.ContentLength)
	switch {
	case err != nil && interrupted(err):
		return model.Reply{}, Cut(err)
	case err != nil:
		return model.Reply{}, err
	}
	if err := d.Whole(text); err != nil {
		return model.Reply{}, err
	}
	reply, err := d.Finish()
	if err == nil {
		r.show(reply.Text)
	}

	return reply, err
}

// parts reads a reply that comes in parts.
func (r *Reading) parts(d Draft, in *bufio.Reader) (model.Reply, error) {
	err := r.collect(d, in)
	if err == nil || d.Complete() && interrupted(err) { // then all of it had come, and asking again would cost as much again
		r.show(r.veil.Part(r.thoughts.Rest()))
		r.show(r.veil.Rest())

		return d.Finish()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = Cut(io.ErrUnexpectedEOF)
	}

	return model.Reply{Usage: d.Used(), Model: r.client.Endpoint.Name}, err
}

// interrupted reports whether an error says nothing about the reply itself.
func interrupted(err error) bool {
	return !errs.Is[*Refusal](err) && !errs.Is[*Broken](err)
}

// collect adds all parts. Its error is nil if the server said which is the last.
func (r *Reading) collect(d Draft, in *bufio.Reader) error {
	stream := NewEvents(in)
	for {
		data, err := stream.Next()
		if err != nil {
			return err
		}
		if stream.IsError() {
			return r.Refused(data)
		}
		last, err := d.Part(data)
		switch {
		case err != nil:
			return err
		case last:
			r.watch.Hurry(waitForEnd)
			_, _ = io.CopyN(io.Discard, in, mostTail) // it is nearly always there already

			return nil
		case d.Complete():
			r.watch.Hurry(waitForLast)
		}
	}
}

// Wrote reports what may be seen of one more part of the text.
func (r *Reading) Wrote(text string) {
	if text != "" {
		r.show(r.veil.Part(r.thoughts.Part(text)))
	}
}

// show reports what may be seen.
func (r *Reading) show(text string) {
	if r.delta != nil && text != "" {
		r.delta(text)
	}
}

// Refused is a refusal that is where a reply should be.
func (r *Reading) Refused(raw json.RawMessage) *Refusal { return InReply(r.Key, raw, r.requestID) }

// PartRefused is the refusal that a part of a reply without a place for one is; nil if it is none.
func (r *Reading) PartRefused(raw json.RawMessage) error {
	if f := r.Refused(raw); f.explicit {
		return f
	}

	return nil
}

// NotAReply is the error of what has the place of a reply, and is none: the refusal that it is,
// else that it lacks something.
func (r *Reading) NotAReply(raw json.RawMessage, lacks string) error {
	message := "the reply has no " + lacks
	if len(raw) == 0 {
		return NewBroken(model.Server, message)
	}
	f := r.Refused(raw)
	if !f.worded {
		f.Message = message + ": " + f.Message
	}

	return f
}

// Text is the text of a reply without its thoughts. A server whose texts begin within thoughts is remembered: of the next ones nothing is
// shown before the thoughts have ended.
func (r *Reading) Text(whole string) string {
	text, some, inside := WithoutThoughts(whole)
	r.Thought = r.Thought || some
	if inside {
		r.client.Inside.Store(true)
	}

	return r.Key.Hide(text)
}

// IsTool reports whether a tool of the request has a name.
func (r *Reading) IsTool(name string) bool {
	return slices.ContainsFunc(r.request.Tools, func(t model.Tool) bool { return t.Name == name })
}

// BeginsTool reports whether the name of a tool of the request begins so.
func (r *Reading) BeginsTool(name string) bool {
	return slices.ContainsFunc(r.request.Tools, func(t model.Tool) bool { return strings.HasPrefix(t.Name, name) })
}

// Call is the next call of a reply, with an id that no other call of the conversation has.
func (r *Reading) Call(id, name, args string) model.ToolCall {
	if r.ids == nil {
		r.ids = idsOf(r.request)
	}
	nth := r.calls
	r.calls++

	return model.ToolCall{ID: r.ids.unique(r.Key.Hide(id), r.request.Turn, nth), Name: r.Key.Hide(name), Args: r.Key.Hide(args)}
}

// ids are the ids of calls that a conversation has.
type ids map[string]bool

// idsOf are the ids of the calls in a request's messages.
func idsOf(r *model.Request) ids {
	taken := ids{}
	for i := range r.Messages {
		for _, c := range r.Messages[i].Calls {
			taken[c.ID] = true
		}
	}

	return taken
}

// maxID bounds an id: longer ones come back to servers that do not take them.
const maxID = 256

// unique is the id of the call that is nth in a turn: the server's, if it sent one that no other call has, else one that is made.
func (taken ids) unique(id string, turn, nth int) string {
	if id == "" || len(id) > maxID {
		id = "call_" + strconv.Itoa(turn) + "_" + strconv.Itoa(nth)
	}
	unique := id
	for n := 2; taken[unique]; n++ {
		unique = id + "_" + strconv.Itoa(n)
	}
	taken[unique] = true

	return unique
}
