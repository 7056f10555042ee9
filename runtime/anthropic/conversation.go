package anthropic

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// conversation writes messages. What comes of the same side, results of calls and what a person says, is one message: servers want the
// sides to take turns, and the results of a turn's calls together.
type conversation struct {
	dst   []byte
	texts *remote.Writing
	side  string
}

// appendMessages writes the conversation.
func appendMessages(dst []byte, texts *remote.Writing, r *model.Request, without remote.Lacking) []byte {
	c := &conversation{dst: append(dst, `,"messages":[`...), texts: texts}
	before, last := marksOf(r)
	for i := range r.Messages {
		message := &r.Messages[i]
		marked := (i == before || i == last) && !without.Has(remote.CacheMarks)
		switch message.Role {
		case model.RoleAssistant:
			c.assistant(message)
		case model.RoleTool:
			c.result(message, marked)
		default:
			c.text("user", said(message.Text), marked)
		}
	}
	if c.side != "" {
		c.dst = append(c.dst, "]}"...)
	}

	return append(c.dst, ']')
}

// said is what a person said: a text without anything to read is refused.
func said(text string) string {
	if strings.TrimSpace(text) == "" {
		return "(nothing)"
	}

	return text
}

// begin begins a block of a side.
func (c *conversation) begin(side string) {
	switch {
	case c.side == side:
		c.dst = append(c.dst, ',')

		return
	case c.side != "":
		c.dst = append(c.dst, "]},"...)
	}
	c.side = side
	c.dst = append(append(append(c.dst, `{"role":"`...), side...), `","content":[`...)
}

func (c *conversation) text(side, text string, marked bool) {
	c.begin(side)
	c.dst = c.texts.Append(append(c.dst, `{"type":"text","text":`...), text)
	c.end(marked)
}

func (c *conversation) end(marked bool) {
	c.dst = append(appendMark(c.dst, marked, remote.Lacking{}), '}')
}

func (c *conversation) result(message *model.Message, marked bool) {
	c.begin("user")
	c.dst = jsontext.Append(append(c.dst, `{"type":"tool_result","tool_use_id":`...), callID(message.CallID))
	if strings.TrimSpace(message.Text) != "" {
		c.dst = c.texts.Append(append(c.dst, `,"content":[{"type":"text","text":`...), message.Text)
		c.dst = append(c.dst, "}]"...)
	}
	if message.Failed {
		c.dst = append(c.dst, `,"is_error":true`...)
	}
	c.end(marked)
}

// assistant writes what the model said, in the order in which it came where that is known.
func (c *conversation) assistant(message *model.Message) {
	for _, p := range piecesOf(message) {
		switch {
		case p.block != nil:
			c.begin("assistant")
			c.dst = append(c.dst, p.block...)
		case p.call != nil:
			c.call(p.call)
		case strings.TrimSpace(p.text) != "": // servers send white space, and refuse it
			c.text("assistant", p.text, false)
		}
	}
}

func (c *conversation) call(call *model.ToolCall) {
	c.begin("assistant")
	c.dst = jsontext.Append(append(c.dst, `{"type":"tool_use","id":`...), callID(call.ID))
	c.dst = jsontext.Append(append(c.dst, `,"name":`...), remote.CallName(call.Name))
	c.dst = c.texts.Arguments(append(c.dst, `,"input":`...), call.Args)
	c.dst = append(c.dst, '}')
}

// callID is the id of a call as the interface takes it. Calls of other providers, whom a conversation has begun with, may have others.
func callID(id string) string {
	if remote.CallName(id) == id {
		return id
	}
	sum := sha256.Sum256([]byte(id))

	return "call_" + hex.EncodeToString(sum[:12])
}

// A mark means that the text before it is worth keeping in the cache of prompts: the next request
// with the same beginning pays a tenth for it. Four are allowed: the last tool, the instructions,
// and two in the conversation.

// appendMark writes a mark into the object that is open, if there is to be one.
func appendMark(dst []byte, marked bool, without remote.Lacking) []byte {
	if !marked || without.Has(remote.CacheMarks) {
		return dst
	}

	return append(dst, `,"cache_control":{"type":"ephemeral"}`...)
}

// marksOf are the indexes of the messages that are marked; -1 for none. A conversation with tools
// continues what it has, so its end is marked; and the end that it had a turn before, since a
// server looks back from a mark over twenty blocks only, and a turn with many calls has more.
// Others are asked once, and a cached text that is not requested again costs more than it saves.
func marksOf(r *model.Request) (before, last int) {
	before, last = -1, -1
	if len(r.Tools) == 0 {
		return before, last
	}
	last = len(r.Messages) - 1
	for i := last; i > 0; i-- {
		if r.Messages[i].Role == model.RoleAssistant {
			return i - 1, last
		}
	}

	return before, last
}
