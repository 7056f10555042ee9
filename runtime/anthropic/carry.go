package anthropic

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// carried is what a reply has besides text and calls, and has to come back unchanged, between them in their order: an object is a block
// as the server wrote it, a string a piece of the text, a number which of the calls.
type carried struct {
	Blocks []json.RawMessage `json:"anthropic"`
}

// piece is one of what an assistant's message is made of: a block, a call, or text.
type piece struct {
	block json.RawMessage
	call  *model.ToolCall
	text  string
}

// carryOf is what a reply has to carry: nothing if text and calls are all that it has.
func carryOf(pieces []piece) string {
	dst, call, needed := []byte(`{"anthropic":[`), 0, false
	for i, p := range pieces {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch {
		case p.block != nil:
			dst, needed = append(dst, p.block...), true
		case p.call != nil:
			dst = strconv.AppendInt(dst, int64(call), 10)
			call++
		default:
			dst = jsontext.Append(dst, p.text)
		}
	}
	if !needed {
		return ""
	}

	return string(append(dst, "]}"...))
}

// piecesOf takes a message apart. What it carries counts only if it is about this message and of this provider: then it is in its
// order. If a caller has changed the text since, the thoughts come first, as they did.
func piecesOf(message *model.Message) []piece {
	var c carried
	if message.Carry == "" || json.Unmarshal([]byte(message.Carry), &c) != nil {
		return plainPieces(message)
	}
	if pieces, ok := c.pieces(message); ok {
		return pieces
	}
	var pieces []piece
	for _, block := range c.Blocks {
		if block[0] == '{' {
			pieces = append(pieces, piece{block: block})
		}
	}

	return append(pieces, plainPieces(message)...)
}

// plainPieces are the text and then the calls.
func plainPieces(message *model.Message) []piece {
	pieces := []piece{{text: message.Text}}
	for i := range message.Calls {
		pieces = append(pieces, piece{call: &message.Calls[i]})
	}

	return pieces
}

// pieces puts a message together; ok is false if it is not the one that was carried with.
func (c *carried) pieces(message *model.Message) (pieces []piece, ok bool) {
	rest, next := message.Text, 0
	for _, raw := range c.Blocks {
		p := piece{}
		switch raw[0] {
		case '{':
			p.block = raw
		case '"':
			if json.Unmarshal(raw, &p.text) != nil {
				return nil, false
			}
			rest, ok = strings.CutPrefix(rest, p.text)
			if !ok {
				return nil, false
			}
		default:
			var nth int
			if json.Unmarshal(raw, &nth) != nil || nth != next || nth >= len(message.Calls) {
				return nil, false
			}
			p.call = &message.Calls[nth]
			next++
		}
		pieces = append(pieces, p)
	}

	return pieces, rest == "" && next == len(message.Calls)
}
