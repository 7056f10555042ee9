package anthropic

import (
	"encoding/json"
	"slices"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"
)

// watched looks at the events of a stream before the SDK does, which passes some over unread.
type watched struct {
	ssestream.Decoder
	departs bool
}

// Next implements ssestream.Decoder.
func (w *watched) Next() bool {
	if !w.Decoder.Next() {
		return false
	}
	e := w.Event()
	w.departs = w.departs || len(strings.TrimSpace(string(e.Data))) > 0 && departs(e.Type, e.Data)

	return true
}

// documented is what an event may have of what is read, as the format has it.
type documented struct {
	Type  string          `json:"type"`
	Index uint            `json:"index"`
	Block documentedBlock `json:"content_block"`
	Delta *struct {
		documentedText
		Type   string `json:"type"`
		JSON   string `json:"partial_json"`
		Reason string `json:"stop_reason"`
	} `json:"delta"`
	Message *struct {
		Model   string            `json:"model"`
		Content []documentedBlock `json:"content"`
		Usage   documentedNumbers `json:"usage"`
	} `json:"message"`
	Usage documentedNumbers `json:"usage"`
}

type documentedBlock struct {
	documentedText
	Type  string          `json:"type"`
	Name  string          `json:"name"`
	ID    string          `json:"id"`
	Input json.RawMessage `json:"input"`
}

type documentedText struct {
	Text      string `json:"text"`
	Thinking  string `json:"thinking"`
	Signature string `json:"signature"`
}

type documentedNumbers struct {
	Input  uint32 `json:"input_tokens"`
	Output uint32 `json:"output_tokens"`
	Cached uint32 `json:"cache_read_input_tokens"`
	Stored uint32 `json:"cache_creation_input_tokens"`
}

// departs reports whether an event is none of the format, so that it can be read in several ways, and what each of the two
// does with it is its own guess.
func departs(name string, data []byte) bool {
	var e documented
	switch {
	case json.Unmarshal(data, &e) != nil:
		return true // no JSON, or a member of another form: the SDK makes a number of "1", and we a text of 1
	case e.Type != name:
		return true // the SDK passes events over by their name, we by their type
	case e.Type == "content_block_start" && e.Block.departs():
		return true
	case e.Message != nil && slices.ContainsFunc(e.Message.Content, documentedBlock.departs):
		return true
	}

	return strings.Contains(strings.ToLower(string(data)), `\ud`) || ambiguous(data) // half a character may be there
}

// departs: a block without a type stays one to the SDK, and we take that from what comes for it; null is an argument to the SDK.
func (b documentedBlock) departs() bool {
	return b.Type == "" || len(b.Input) > 0 && b.Input[0] != '{'
}

// readMembers are the names of all members that are read.
var readMembers = []string{
	"type", "index", "content_block", "delta", "message", "usage", "text", "thinking", "signature", "name", "id", "input",
	"partial_json", "stop_reason", "stop_details", "model", "content",
	"input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens",
}

// ambiguous reports whether an object of an event has a member twice, or one whose name is that of another but for capitals:
// JSON does not say which counts.
func ambiguous(data []byte) bool {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil {
		return slices.ContainsFunc(list, func(one json.RawMessage) bool { return ambiguous(one) })
	}
	all, ok := membersOf(data)
	if !ok {
		return false
	}
	for i, m := range all {
		like := func(name string) bool { return strings.EqualFold(name, m.Name) && name != m.Name }
		twice := slices.ContainsFunc(all[:i], func(before member) bool { return before.Name == m.Name })
		if twice || slices.ContainsFunc(readMembers, like) || m.Name != "input" && ambiguous(m.Value) {
			return true
		}
	}

	return false
}

// progress is what has come of a stream.
type progress struct {
	begun, ended bool
	// stopped are blocks that have ended, and written those whose arguments the model has begun.
	stopped, written map[int64]bool
}

// departs reports whether an event is not in its place, as the format has them: one beginning, then each block with its start,
// what is added, and its end, and last the end of the message.
func (p *progress) departs(m *sdk.Message, e *sdk.MessageStreamEventUnion) bool {
	if p.ended || (e.Type == "message_start") == p.begun {
		return true // what comes after the end we do not read, and a second message makes the SDK forget the first
	}
	p.begun = true
	p.ended = e.Type == "message_stop"
	switch e.Type {
	case "content_block_stop":
		p.stopped = noted(p.stopped, e.Index)
	case "content_block_delta":
		return p.stopped[e.Index] || e.Delta.PartialJSON != "" && p.beganAnew(m, e.Index)
	}

	return false
}

// beganAnew reports whether the SDK forgets the arguments of a call for those that come now, or takes both: {} is none to it, also if
// the model wrote it, and more than that is some, also if it was there before the model wrote any.
func (p *progress) beganAnew(m *sdk.Message, index int64) bool {
	if index < 0 || index >= int64(len(m.Content)) {
		return false
	}
	none := len(m.Content[index].Input) == 0 || string(m.Content[index].Input) == "{}"
	was := p.written[index]
	p.written = noted(p.written, index)

	return none == was
}

func noted(all map[int64]bool, index int64) map[int64]bool {
	if all == nil {
		all = map[int64]bool{}
	}
	all[index] = true

	return all
}
