package anthropic

import (
	"bufio"
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// whole reads a reply that comes in one piece; length is what the server says that it has, -1 if it does not.
func (r *reading) whole(in *bufio.Reader, length int64) (model.Reply, error) {
	text, err := remote.ReadAll(in, length)
	if err != nil {
		return model.Reply{}, remote.Of(r.requestID, remote.CutBy(err))
	}
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		return model.Reply{}, remote.Of(r.requestID, remote.Unreadable(err))
	}
	if m.Type == "error" || len(m.Error) > 0 && string(m.Error) != "null" {
		return model.Reply{}, remote.InReply(r.model.endpoint.Key, m.Error, r.requestID)
	}

	d := draft{begun: m.Content != nil, model: m.Model, ending: m.ending, usage: usage{}.over(m.Usage)}
	for _, raw := range m.Content {
		if err := d.begin("", raw); err != nil {
			return model.Reply{}, remote.Of(r.requestID, remote.Unreadable(err))
		}
	}
	reply, err := r.finish(&d)
	if err == nil {
		r.show(reply.Text)
	}

	return reply, err
}

// finish makes the reply of what has come.
func (r *reading) finish(d *draft) (model.Reply, error) {
	k := r.model.endpoint.Key
	reply := model.Reply{
		Usage: d.usage.tokens(), StopReason: reasonOf(k.Clean(string(d.ending.Reason), remote.MaxWord)), Model: r.model.endpoint.Name,
	}
	if answered := k.Clean(string(d.model), remote.MaxWord); answered != "" {
		reply.Model = r.model.endpoint.Provider + ":" + answered
	}
	switch {
	case !d.begun && len(d.blocks) == 0:
		return reply, remote.Of(r.requestID, remote.NewBroken(model.Server, "the reply has no message"))
	case reply.StopReason == model.ReasonRefusal:
		return reply, remote.Of(r.requestID, remote.NewBroken(model.Refused, d.ending.refusal()))
	}
	r.fill(&reply, d.blocks)

	return reply, nil
}

// fill puts the blocks into a reply: texts one after another, calls with ids that no other call of the conversation has, and what has
// to come back.
func (r *reading) fill(reply *model.Reply, blocks []*block) {
	k := r.model.endpoint.Key
	ids := remote.IDsOf(r.request)
	var text strings.Builder
	var pieces []piece
	thought := false
	for _, b := range blocks {
		switch b.kind {
		case textBlock:
			text.WriteString(b.text.String())
			pieces = append(pieces, piece{text: b.text.String()})
		case callBlock:
			call := model.ToolCall{
				ID:   ids.Unique(k.Hide(b.id), r.request.Turn, len(reply.Calls)),
				Name: k.Hide(b.name), Args: k.Hide(b.arguments()),
			}
			reply.Calls = append(reply.Calls, call)
			pieces = append(pieces, piece{call: &call})
		default:
			thought = true
			if raw, ok := b.raw(); ok {
				pieces = append(pieces, piece{block: raw})
			}
		}
	}
	said, thoughts, inside := remote.WithoutThoughts(text.String())
	if inside {
		r.model.inside.Store(true)
	}
	reply.Text, reply.Carry = k.Hide(said), k.Hide(carryOf(pieces))
	r.silent = !thoughts && !thought && len(reply.Calls) == 0 && strings.TrimSpace(said) == "" &&
		reply.StopReason != model.ReasonLength && reply.StopReason != model.ReasonPause
}

// arguments are those of a call, as the model wrote them.
func (b *block) arguments() string {
	if b.text.Len() == 0 {
		return "{}"
	}

	return b.text.String()
}

// reasonOf is the runtime's word for why a turn ended.
func reasonOf(reason string) string {
	switch sdk.StopReason(reason) {
	case sdk.StopReasonEndTurn, sdk.StopReasonStopSequence:
		return model.ReasonStop
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		return model.ReasonLength
	case sdk.StopReasonToolUse:
		return model.ReasonCalls
	case sdk.StopReasonRefusal:
		return model.ReasonRefusal
	case sdk.StopReasonPauseTurn:
		return model.ReasonPause
	}

	return reason
}

// refusal is what a model that refuses says of it.
func (e *ending) refusal() string {
	if e.Details != nil {
		for _, said := range []remote.Lenient{e.Details.Explanation, e.Details.Category} {
			if text := strings.TrimSpace(string(said)); text != "" {
				return "the model refuses: " + text
			}
		}
	}

	return "the model refuses"
}
