package anthropic

import (
	"cmp"
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// event is one of those that a reply comes in. What is not named here is passed over.
type event struct {
	Type remote.Lenient `json:"type"`
	// Index identifies the block that a start, delta or stop is about.
	Index   remote.Lenient  `json:"index"`
	Message *message        `json:"message"`
	Block   json.RawMessage `json:"content_block"`
	Delta   delta           `json:"delta"`
	Usage   json.RawMessage `json:"usage"`
	remote.Failure
}

// newDecoder decodes the events of a reply.
func newDecoder() *remote.Repeats[event] {
	return &remote.Repeats[event]{Decode: decodeEvent, Texts: []remote.Text[event]{
		{Name: `"text":"`, In: func(e *event) *string { return (*string)(&e.Delta.Text) }},
		{Name: `"partial_json":"`, In: func(e *event) *string { return (*string)(&e.Delta.JSON) }},
		{Name: `"thinking":"`, In: func(e *event) *string { return (*string)(&e.Delta.Thinking) }},
	}}
}

// decodeEvent decodes an event. One of a type that is not known has no more than that.
func decodeEvent(data []byte) (e event, err error) {
	err = json.Unmarshal(data, &e)
	if err == nil && e.known() {
		return e, nil
	}
	head := struct {
		Type remote.Lenient `json:"type"`
		remote.Failure
	}{e.Type, e.Failure}
	if err != nil && json.Unmarshal(data, &head) != nil {
		return event{}, err
	}
	e = (event{Type: head.Type, Failure: head.Failure})
	if e.known() {
		return e, err
	}

	return e, nil
}

// known reports whether an event is of a type that counts. Another may have members of any form.
func (e *event) known() bool {
	switch e.Type {
	case "message_start", "content_block_start", "content_block_delta", "message_delta", "error":
		return true
	}

	return false
}

// delta is what an event adds: to a block, or, why the turn ended, to the message.
type delta struct {
	Type      remote.Lenient `json:"type"`
	Text      remote.Lenient `json:"text"`
	JSON      remote.Lenient `json:"partial_json"`
	Thinking  remote.Lenient `json:"thinking"`
	Signature remote.Lenient `json:"signature"`
	ending
}

// ending is why a turn ended.
type ending struct {
	Reason  remote.Lenient `json:"stop_reason"`
	Details *details       `json:"stop_details"`
}

// details are what a model that refuses says of it.
type details struct {
	Category    remote.Lenient `json:"category"`
	Explanation remote.Lenient `json:"explanation"`
}

// UnmarshalJSON implements json.Unmarshaler. What has another form says nothing, as in usage.
func (d *details) UnmarshalJSON(raw []byte) error {
	type said details
	_ = json.Unmarshal(raw, (*said)(d))

	return nil
}

// message is a reply as servers write it, whole, or what is known of it when it begins.
type message struct {
	Type    remote.Lenient    `json:"type"`
	Model   remote.Lenient    `json:"model"`
	Content []json.RawMessage `json:"content"`
	Usage   json.RawMessage   `json:"usage"`
	remote.Failure
	ending
}

// place returns which block an event is about. Servers that leave out what is zero mean the first.
func (e *event) place() string { return cmp.Or(string(e.Index), "0") }

// usage are the tokens of a turn.
type usage struct {
	Input  remote.Count `json:"input_tokens"`
	Output remote.Count `json:"output_tokens"`
	Cached remote.Count `json:"cache_read_input_tokens"`
	Stored remote.Count `json:"cache_creation_input_tokens"`
}

// update takes over what a server says. Each count covers the whole turn so far; one that is absent
// or null leaves the previous count. What has another form counts nothing: no reply is lost for it.
func (u *usage) update(raw json.RawMessage) {
	if len(raw) > 0 {
		_ = json.Unmarshal(raw, u)
	}
}

// tokens are what was used. Servers count what comes from the cache, and what goes there, besides the rest; here they are parts.
func (u usage) tokens() model.Usage {
	return model.Usage{
		Input: int(u.Input + u.Cached + u.Stored), Output: int(u.Output), Cached: int(u.Cached), Stored: int(u.Stored),
	}
}
