package temporal

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime/model"
)

// A conversation of n turns is no n conversations in the history: each turn says what is new since the one before, by whose
// reference the worker finds the rest. What was said is in the blobs, each piece once.

// piece is what a turn has added to a conversation, as it is in the blobs.
type piece struct {
	// After is the piece before; "" for the first.
	After string `json:"after,omitempty"`
	// Head is nil if it is that of the piece before.
	Head     *head           `json:"head,omitempty"`
	Messages []model.Message `json:"messages,omitempty"`
}

// talk is a conversation as far as it is known.
type talk struct {
	ref      string
	head     head
	messages []model.Message
}

// turnOf is what a request adds to what was said before; known are the conversations that it may go on with, the longest first.
func turnOf(known []*talk, r *model.Request) turn {
	t := turn{Agent: r.Agent, Turn: r.Turn, Model: r.Model, Timeout: r.Timeout, Messages: r.Messages}
	now := headOf(r)
	for _, before := range known {
		if !begins(r.Messages, before.messages) {
			continue
		}
		t.After, t.Messages = before.ref, r.Messages[len(before.messages):]
		if !reflect.DeepEqual(now, before.head) {
			t.Head = &now
		}

		return t
	}
	t.Head = &now

	return t
}

// talksOf are the conversations that the turn after this one may go on with.
func talksOf(r *model.Request, came *turned) []*talk {
	asked := &talk{ref: came.Asked, head: headOf(r), messages: slices.Clip(r.Messages)}
	if came.Replied == "" {
		return []*talk{asked}
	}
	replied := asked.with(piece{Messages: []model.Message{said(&came.Reply)}})
	replied.ref = came.Replied

	return []*talk{replied, asked}
}

// said is a reply as the message that the next request has.
func said(r *model.Reply) model.Message {
	return model.Message{Role: model.RoleAssistant, Text: r.Text, Calls: r.Calls, Carry: r.Carry}
}

func headOf(r *model.Request) head {
	return head{Input: r.Input, System: r.System, Tools: r.Tools, Schema: r.Schema}
}

// begins says that messages begin with others.
func begins(messages, with []model.Message) bool {
	return len(messages) >= len(with) && reflect.DeepEqual(messages[:len(with)], with)
}

// talks are the conversations of a worker.
type talks struct {
	blobs *sealed
	mu    sync.Mutex
	known map[string]*talk
}

// extend completes a request by what was said before the turn, and keeps it all for the next.
func (s *talks) extend(ctx context.Context, t *turn, request *model.Request) (asked *talk, err error) {
	before := &talk{}
	if t.After != "" {
		if before, err = s.find(ctx, t.After); err != nil {
			return nil, err
		}
	}
	if asked, err = s.add(ctx, before, piece{After: t.After, Head: t.Head, Messages: t.Messages}); err != nil {
		return nil, err
	}
	h := asked.head
	request.Input, request.System, request.Tools, request.Schema = h.Input, h.System, h.Tools, h.Schema
	request.Messages = asked.messages

	return asked, nil
}

// add keeps a piece more of a conversation.
func (s *talks) add(ctx context.Context, before *talk, p piece) (now *talk, err error) {
	data, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	now = before.with(p)
	if now.ref, err = s.blobs.put(ctx, data); err != nil {
		return nil, err
	}
	s.keep(now.ref, now)

	return now, nil
}

// reply keeps what a model has answered, if the next request repeats it, which is so for one with calls of tools. What cannot be
// kept now is kept with that request: an answer that was paid for is not lost by it.
func (s *talks) reply(ctx context.Context, asked *talk, r *model.Reply) (ref string) {
	if len(r.Calls) == 0 {
		return ""
	}
	now, err := s.add(ctx, asked, piece{After: asked.ref, Messages: []model.Message{said(r)}})
	if err != nil {
		return ""
	}

	return now.ref
}

// with is a conversation and what comes next.
func (t *talk) with(p piece) *talk {
	now := &talk{head: t.head, messages: slices.Concat(t.messages, p.Messages)}
	if p.Head != nil {
		now.head = *p.Head
	}

	return now
}

// find is a conversation by its reference.
func (s *talks) find(ctx context.Context, ref string) (*talk, error) {
	var pieces []piece
	from := &talk{}
	for at := ref; at != ""; {
		if known := s.at(at); known != nil {
			from = known

			break
		}
		data, err := s.blobs.get(ctx, at)
		if err != nil {
			return nil, err
		}
		var p piece
		if err := json.Unmarshal(data, &p); err != nil {
			return nil, fmt.Errorf("blob %s is not part of a conversation: %w", at, err)
		}
		pieces = append(pieces, p)
		at = p.After
	}
	for _, p := range slices.Backward(pieces) {
		from = from.with(p)
	}
	from.ref = ref
	s.keep(ref, from)

	return from, nil
}

// mostKnown is how many conversations a worker has at hand, at most.
const mostKnown = 1000

// at is a conversation that is at hand; nil if it is not.
func (s *talks) at(ref string) *talk {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.known[ref]
}

// keep has a conversation at hand. When there are too many all of them go: what is missing is read again.
func (s *talks) keep(ref string, t *talk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) == mostKnown {
		s.known = map[string]*talk{}
	}
	s.known[ref] = t
}
