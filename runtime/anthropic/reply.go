package anthropic

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Used implements remote.Draft.
func (d *draft) Used() model.Usage { return d.usage.tokens() }

// Complete implements remote.Draft.
func (d *draft) Complete() bool { return remote.IsReason(d.ending.Reason) }

// Whole implements remote.Draft.
func (d *draft) Whole(text []byte) error {
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		return remote.Unreadable(err)
	}
	if m.Type == "error" || m.IsSaid() {
		return d.reading.Refused(text)
	}
	d.begun, d.model, d.ending = m.Content != nil, m.Model, m.ending
	if !d.begun {
		d.other = text
	}
	d.usage.update(m.Usage)
	for _, raw := range m.Content {
		if err := d.begin("", raw); err != nil {
			return err
		}
	}

	return nil
}

// Part implements remote.Draft. Unknown events, such as pings, add nothing.
func (d *draft) Part(data []byte) (last bool, err error) {
	if string(data) == remote.Done { // the last word of servers that speak OpenAI's chat completions, too
		return false, io.EOF
	}
	e, err := d.decoder.Next(data)
	if err != nil {
		return false, remote.Unreadable(err)
	}
	if e.Type == "error" || e.IsSaid() {
		return false, d.reading.Refused(data)
	}
	switch e.Type {
	case "message_start":
		if e.Message != nil {
			d.begun, d.model = true, e.Message.Model
			d.usage.update(e.Message.Usage)
			for i, raw := range e.Message.Content { // Anthropic's begin with none
				if err := d.beginShown(strconv.Itoa(i), raw); err != nil {
					return false, err
				}
			}
		}
	case "content_block_start":
		return false, d.beginShown(e.place(), e.Block)
	case "content_block_delta":
		return false, d.add(e)
	case "message_delta":
		d.usage.update(e.Usage)
		if remote.IsReason(e.Delta.Reason) {
			d.ending = e.Delta.ending
		}
	case "message_stop":
		return true, nil
	case "":
		if d.other == nil {
			d.other = bytes.Clone(data)
		}

		return false, d.reading.PartRefused(data)
	}

	return false, nil
}

// beginShown adds a block, and shows the text that it begins with.
func (d *draft) beginShown(index string, raw json.RawMessage) error {
	if err := d.begin(index, raw); err != nil {
		return err
	}
	if b := d.blocks[len(d.blocks)-1]; b.kind == textBlock {
		d.reading.Wrote(b.text.String())
	}

	return nil
}

// Finish implements remote.Draft.
func (d *draft) Finish() (model.Reply, error) {
	reply, failed := d.reading.Reply(d.model, d.ending.Reason, reasons, d.Used())
	switch {
	case !d.begun && len(d.blocks) == 0:
		return reply, d.reading.NotAReply(d.other, "message")
	case reply.StopReason == model.ReasonRefusal:
		return reply, remote.NewBroken(model.Refused, d.ending.refusal())
	}
	d.fill(&reply) // also a reply that has failed: the model has written it

	return reply, failed
}

// fill puts the blocks into a reply: texts one after another, calls, and what has to come back.
func (d *draft) fill(reply *model.Reply) {
	var text strings.Builder
	var pieces []piece
	for _, b := range d.blocks {
		switch b.kind {
		case textBlock:
			text.WriteString(b.text.String())
			pieces = append(pieces, piece{text: b.text.String()})
		case callBlock:
			call := d.reading.Call(b.id, b.name, b.arguments())
			reply.Calls = append(reply.Calls, call)
			pieces = append(pieces, piece{call: &call})
		default:
			d.reading.Thought = true
			if raw, ok := b.raw(); ok {
				pieces = append(pieces, piece{block: raw})
			}
		}
	}
	reply.Text, reply.Carry = d.reading.Text(text.String()), d.reading.Key.Hide(carryOf(pieces))
}

// arguments are the arguments of a call, as the model wrote them.
func (b *block) arguments() string {
	if b.text.Len() == 0 {
		return "{}"
	}

	return b.text.String()
}

// reasons are the words for the end of a reply: Anthropic's, and those of chat completions, which
// gateways pass on untranslated.
var reasons = remote.Reasons{
	string(sdk.StopReasonEndTurn): model.ReasonStop, string(sdk.StopReasonStopSequence): model.ReasonStop, "stop": model.ReasonStop,

	string(sdk.StopReasonMaxTokens):                  model.ReasonLength,
	string(sdk.StopReasonModelContextWindowExceeded): model.ReasonLength,
	"length": model.ReasonLength,

	string(sdk.StopReasonToolUse): model.ReasonCalls, "tool_calls": model.ReasonCalls,

	string(sdk.StopReasonRefusal):   model.ReasonRefusal,
	string(sdk.StopReasonPauseTurn): model.ReasonPause,
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
