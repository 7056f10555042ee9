package anthropic

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
	"github.com/agentc-dev/agentc/runtime/internal/remote"
)

// draft is a reply as far as it has come.
type draft struct {
	model  remote.Lenient
	ending ending
	usage  usage
	blocks []*block
	// begun says that there was a message at all.
	begun bool
}

// block is one of those that a reply is made of.
type block struct {
	index, kind, id, name string
	// start is the block as it began, with all its members.
	start json.RawMessage
	// text is that of the block, or the arguments of a call as the model writes them.
	text, signature strings.Builder
	// strange says that something came for the block that nobody here knows: then it is not known whole.
	strange bool
}

// The kinds of blocks that are known by name. Thoughts that are hidden, and whatever else there will be, are kept as they came.
const (
	textBlock  = "text"
	callBlock  = "tool_use"
	thoughtful = "thinking"
)

// maxBlocks bounds the blocks of one reply: nobody works on so many, and looking for the block of a delta takes time.
const maxBlocks = 1000

// begin adds a block.
func (d *draft) begin(index string, raw json.RawMessage) error {
	var head struct {
		Type      remote.Lenient  `json:"type"`
		ID        remote.Lenient  `json:"id"`
		Name      remote.Lenient  `json:"name"`
		Text      remote.Lenient  `json:"text"`
		Thinking  remote.Lenient  `json:"thinking"`
		Signature remote.Lenient  `json:"signature"`
		Input     json.RawMessage `json:"input"`
	}
	if len(d.blocks) == maxBlocks {
		return remote.NewBroken(runtime.ModelOther, "the reply has more than "+strconv.Itoa(maxBlocks)+" blocks")
	}
	raw = bytes.ToValidUTF8(raw, []byte("\ufffd")) // journals keep nothing else, and servers refuse it
	if err := json.Unmarshal(raw, &head); err != nil {
		return err
	}
	b := &block{index: index, kind: string(head.Type), id: string(head.ID), name: string(head.Name), start: raw}
	b.signature.WriteString(string(head.Signature))
	switch b.kind {
	case textBlock:
		b.text.WriteString(string(head.Text))
	case thoughtful:
		b.text.WriteString(string(head.Thinking))
	case callBlock:
		if input := string(head.Input); input != "{}" && input != "null" {
			b.text.WriteString(input)
		}
	}
	d.blocks = append(d.blocks, b)

	return nil
}

// add adds what an event has for a block. It returns what is new of the text.
func (d *draft) add(e *event) (text string, err error) {
	b := d.blockOf(string(e.Index))
	if b == nil {
		if b, err = d.missing(e); err != nil {
			return "", err
		}
	}
	known := false
	switch string(e.Delta.Type) {
	case "text_delta":
		text, known = string(e.Delta.Text), b.kind == textBlock
	case "input_json_delta":
		b.text.WriteString(string(e.Delta.JSON))
		known = b.kind == callBlock
	case "thinking_delta":
		b.text.WriteString(string(e.Delta.Thinking))
		known = b.kind == thoughtful
	case "signature_delta":
		b.signature.WriteString(string(e.Delta.Signature))
		known = b.kind == thoughtful
	}
	if b.strange = b.strange || !known; !known {
		return "", nil
	}
	b.text.WriteString(text)

	return text, nil
}

// missing begins a block whose beginning has not come.
func (d *draft) missing(e *event) (*block, error) {
	kind := map[remote.Lenient]string{
		"text_delta": textBlock, "input_json_delta": callBlock, "thinking_delta": thoughtful, "signature_delta": thoughtful,
	}[e.Delta.Type]
	if err := d.begin(string(e.Index), json.RawMessage(`{"type":"`+kind+`"}`)); err != nil {
		return nil, err
	}

	return d.blocks[len(d.blocks)-1], nil
}

// blockOf is the newest block with an index.
func (d *draft) blockOf(index string) *block {
	for i := len(d.blocks) - 1; i >= 0; i-- {
		if d.blocks[i].index == index {
			return d.blocks[i]
		}
	}

	return nil
}

// end notes why the turn ended.
func (d *draft) end(e ending) {
	if e.Reason != "" {
		d.ending = e
	}
}

// raw is a block as it goes back: as it came, with what was added. ok is false for one that is not whole, or that a server would refuse.
func (b *block) raw() (raw json.RawMessage, ok bool) {
	if b.kind != thoughtful {
		return b.start, !b.strange && b.kind != ""
	}
	all, ok := membersOf(b.start)
	if !ok || b.signature.Len() == 0 || b.strange {
		return nil, false // thoughts without a signature are refused
	}
	all = set(all, "thinking", b.text.String())
	all = set(all, "signature", b.signature.String())

	return appendMembers(nil, all), true
}

// set gives a member of an object a text.
func set(all []member, name, text string) []member {
	value := jsontext.Append(nil, text)
	for i := range all {
		if all[i].name == name {
			all[i].value = value

			return all
		}
	}

	return append(all, member{name, value})
}
