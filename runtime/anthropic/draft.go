package anthropic

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// draft is a reply as far as it has come; it implements remote.Draft.
type draft struct {
	reading *remote.Reading
	decoder *remote.Repeats[event]
	model   remote.Lenient
	ending  ending
	usage   usage
	blocks  []*block
	// begun reports whether there was a message at all; other is the first input that is not an
	// event.
	begun bool
	other []byte
}

// Draft implements remote.Format.
func (f *format) Draft(r *remote.Reading) remote.Draft {
	return &draft{reading: r, decoder: newDecoder()}
}

// block is one of those that a reply is made of.
type block struct {
	index, kind, id, name string
	// start is the block as it began, with all its members.
	start json.RawMessage
	// text is the text of the block, or the arguments of a call as the model writes them.
	text, signature remote.Pieces
	// strange reports whether something unknown came for the block: then the block is not known as
	// a whole.
	strange bool
}

// The kinds of blocks that are known by name. Thoughts that are hidden, and whatever else there will be, are kept as
// they came.
const (
	textBlock  = "text"
	callBlock  = "tool_use"
	thoughtful = "thinking"
)

// maxBlocks bounds the blocks of one reply: no model writes so many, and the search for the block
// of a delta takes time.
const maxBlocks = 1000

// begin adds a block. One of which nothing came is of the kind that its first delta says.
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
		return remote.NewBroken(model.Other, "the reply has more than "+strconv.Itoa(maxBlocks)+" blocks")
	}
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	raw = bytes.ToValidUTF8(raw, []byte("\ufffd")) // journals keep nothing else, and servers refuse it
	if err := json.Unmarshal(raw, &head); err != nil {
		return remote.Unreadable(err)
	}
	b := &block{index: index, kind: string(head.Type), id: string(head.ID), name: string(head.Name), start: raw}
	b.signature.WriteString(string(head.Signature))
	switch b.kind {
	case textBlock:
		b.text.WriteString(string(head.Text))
	case thoughtful:
		b.text.WriteString(string(head.Thinking))
	case callBlock:
		if !placeholder(head.Input) {
			b.text.WriteString(string(head.Input))
		}
	}
	d.blocks = append(d.blocks, b)

	return nil
}

// placeholder reports whether the input with which a call begins says nothing yet.
func placeholder(input json.RawMessage) bool {
	inside, ok := bytes.CutPrefix(input, []byte("{"))

	return ok && string(bytes.TrimSpace(inside)) == "}" || string(input) == "null"
}

// add adds what an event has for a block, and shows what is new of the text.
func (d *draft) add(e *event) error {
	b := d.blockOf(e.place())
	if b == nil { // its beginning has not come
		if err := d.begin(e.place(), nil); err != nil {
			return err
		}
		b = d.blocks[len(d.blocks)-1]
	}
	kind := kindOf(e.Delta.Type)
	if b.kind == "" {
		b.kind = kind
	}
	if kind == "" || kind != b.kind { // what is for a block of another kind is not put into this one: thoughts are not text
		b.strange = true

		return nil
	}

	// One of them is there, as the type says; whatever else is there is passed over.
	switch e.Delta.Type {
	case "text_delta":
		b.text.WriteString(string(e.Delta.Text))
		d.reading.Wrote(string(e.Delta.Text))
	case "input_json_delta":
		b.text.WriteString(string(e.Delta.JSON))
	case "thinking_delta":
		b.text.WriteString(string(e.Delta.Thinking))
	case "signature_delta":
		b.signature.WriteString(string(e.Delta.Signature))
	}

	return nil
}

// kindOf returns the kind of the block that a delta is for; "" if it is unknown.
func kindOf(delta remote.Lenient) string {
	switch delta {
	case "text_delta":
		return textBlock
	case "input_json_delta":
		return callBlock
	case "thinking_delta", "signature_delta":
		return thoughtful
	}

	return ""
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

// raw is a block as it goes back: as it came, with what was added. ok is false for one that is not whole, or that a server would refuse.
func (b *block) raw() (raw json.RawMessage, ok bool) {
	if b.kind != thoughtful {
		return b.start, !b.strange && b.kind != ""
	}
	all, ok := membersOf(b.start)
	if !ok || b.signature.Len() == 0 || b.strange {
		return nil, false // thoughts without a signature are refused
	}
	all = set(all, "type", thoughtful) // which only a delta may have said
	all = set(all, "thinking", b.text.String())
	all = set(all, "signature", b.signature.String())

	return appendMembers(nil, all), true
}

// set gives a member of an object a text.
func set(all []member, name, text string) []member {
	value := jsontext.Append(nil, text)
	for i := range all {
		if all[i].Name == name {
			all[i].Value = value

			return all
		}
	}

	return append(all, member{Name: name, Value: value})
}
