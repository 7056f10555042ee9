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

// A conversation of n turns is not n conversations in the history: each turn has what is new since
// the previous one, and a reference by which the worker finds the rest. The messages are in the
// blobs, each piece once.

// piece is what a turn has added to a conversation, as it is in the blobs.
type piece struct {
	// After is the piece before; "" for the first.
	After string `json:"after,omitempty"`
	// Head is nil if the previous piece has the same.
	Head     *head           `json:"head,omitempty"`
	Messages []model.Message `json:"messages,omitempty"`
}

// talk is a conversation as far as it is known.
type talk struct {
	ref      string
	head     head
	messages []model.Message
}

// turnOf returns what a request adds to the earlier messages; known are the conversations that it
// may continue, the longest first.
func turnOf(known []*talk, r *model.Request) turn {
	t := turn{Agent: r.Agent, Turn: r.Turn, Model: r.Model, Timeout: r.Timeout, Messages: r.Messages}
	now := headOf(r)
	for _, before := range known {
		if !hasPrefix(r.Messages, before.messages) {
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
	replied := asked.withPiece(piece{Messages: []model.Message{replyMessage(&came.Reply)}})
	replied.ref = came.Replied

	return []*talk{replied, asked}
}

// replyMessage returns a reply as the message that the next request has.
func replyMessage(r *model.Reply) model.Message {
	return model.Message{Role: model.RoleAssistant, Text: r.Text, Calls: r.Calls, Carry: r.Carry}
}

func headOf(r *model.Request) head {
	return head{Input: r.Input, System: r.System, Tools: r.Tools, Schema: r.Schema}
}

// hasPrefix reports whether messages begin with others.
func hasPrefix(messages, with []model.Message) bool {
	return len(messages) >= len(with) && reflect.DeepEqual(messages[:len(with)], with)
}

// talks are the conversations of a worker.
type talks struct {
	blobs *sealed
	mu    sync.Mutex
	known map[string]*talk
}

// extendRequest completes a request by the conversation before the turn, and keeps it all for the
// next.
func (s *talks) extendRequest(ctx context.Context, t *turn, request *model.Request) (asked *talk, err error) {
	before := &talk{}
	if t.After != "" {
		before, err = s.findTalk(ctx, t.After)
		if err != nil {
			return nil, err
		}
	}
	asked, err = s.addPiece(ctx, before, piece{After: t.After, Head: t.Head, Messages: t.Messages})
	if err != nil {
		return nil, err
	}
	h := asked.head
	request.Input, request.System, request.Tools, request.Schema = h.Input, h.System, h.Tools, h.Schema
	request.Messages = asked.messages

	return asked, nil
}

// addPiece adds a piece to a conversation.
func (s *talks) addPiece(ctx context.Context, before *talk, p piece) (now *talk, err error) {
	data, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	now = before.withPiece(p)
	now.ref, err = s.blobs.storeData(ctx, data)
	if err != nil {
		return nil, err
	}
	s.cacheTalk(now.ref, now)

	return now, nil
}

// storeReply keeps what a model has answered, if the next request repeats it, which is so for one with calls of tools. What cannot be
// kept now is kept with that request: an answer that was paid for is not lost by it.
func (s *talks) storeReply(ctx context.Context, asked *talk, r *model.Reply) (ref string) {
	if len(r.Calls) == 0 {
		return ""
	}
	now, err := s.addPiece(ctx, asked, piece{After: asked.ref, Messages: []model.Message{replyMessage(r)}})
	if err != nil {
		return ""
	}

	return now.ref
}

// withPiece returns a conversation with one more piece.
func (t *talk) withPiece(p piece) *talk {
	now := &talk{head: t.head, messages: slices.Concat(t.messages, p.Messages)}
	if p.Head != nil {
		now.head = *p.Head
	}

	return now
}

// findTalk returns a conversation by its reference.
func (s *talks) findTalk(ctx context.Context, ref string) (*talk, error) {
	var pieces []piece
	from := &talk{}
	for at := ref; at != ""; {
		if known := s.cachedTalk(at); known != nil {
			from = known

			break
		}
		data, err := s.blobs.loadData(ctx, at)
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
		from = from.withPiece(p)
	}
	from.ref = ref
	s.cacheTalk(ref, from)

	return from, nil
}

// mostKnown is how many conversations a worker has at hand, at most.
const mostKnown = 1000

// cachedTalk returns a conversation that is in memory; nil if it is not.
func (s *talks) cachedTalk(ref string) *talk {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.known[ref]
}

// cacheTalk keeps a conversation in memory. When there are too many, all are dropped: a missing one
// is read again.
func (s *talks) cacheTalk(ref string, t *talk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) == mostKnown {
		s.known = map[string]*talk{}
	}
	s.known[ref] = t
}
