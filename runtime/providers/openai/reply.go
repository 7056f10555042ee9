package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// completion is a reply as servers write it, whole or in parts. What is not named here is passed over.
type completion struct {
	Model   lenient  `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage"`
	remote.Failure
	remote.Aside
}

type choice struct {
	// Index is "0" for the reply, and other numbers for others, which were not asked for; "" where the server does not say.
	Index   lenient `json:"index"`
	Message message `json:"message"`
	Delta   message `json:"delta"`
	Finish  lenient `json:"finish_reason"`
	remote.Failure
}

type message struct {
	Content content    `json:"content"`
	Refusal lenient    `json:"refusal"`
	Calls   []toolCall `json:"tool_calls"`
	// Legacy is the one call of a message in the form before tool_calls.
	Legacy *function `json:"function_call"`
	// Thoughts and Reasoning report whether there are any, by the names that servers have for them.
	Thoughts  some `json:"reasoning_content"`
	Reasoning some `json:"reasoning"`
}

// reply is the choice that is the reply; nil without one.
func (c *completion) reply() *choice {
	for i := range c.Choices {
		if index := c.Choices[i].Index; index == "" || index == "0" {
			return &c.Choices[i]
		}
	}

	return nil
}

type toolCall struct {
	// Index says in parts which call it is part of; "" where the server does not say.
	Index    lenient  `json:"index"`
	ID       lenient  `json:"id"`
	Function function `json:"function"`
	// Some servers write the members of the function on the level of the call.
	function
	Extra json.RawMessage `json:"extra_content"`
}

// function is what is called, or a part of that.
type function struct {
	Name lenient `json:"name"`
	// Arguments are JSON as text; some servers write the JSON itself.
	Arguments lenient `json:"arguments"`
}

// says reports whether a message has anything but thoughts.
func (m *message) says() bool {
	return m.Content != "" || m.Refusal != "" || len(m.Calls) > 0 || m.Legacy != nil
}

// calls are the calls of a message, or parts of them, in one form.
func (m *message) calls() []toolCall {
	for i := range m.Calls {
		call := &m.Calls[i]
		call.Function.Name = cmp.Or(call.Function.Name, call.Name)
		call.Function.Arguments = cmp.Or(call.Function.Arguments, call.Arguments)
	}
	if len(m.Calls) == 0 && m.Legacy != nil {
		return []toolCall{{Index: legacyIndex, Function: *m.Legacy}}
	}

	return m.Calls
}

// legacyIndex is the index of the one call of the form before tool_calls, whose parts have none.
const legacyIndex = "function_call"

type usage struct {
	Prompt     count   `json:"prompt_tokens"`
	Completion count   `json:"completion_tokens"`
	Total      count   `json:"total_tokens"`
	Details    details `json:"prompt_tokens_details"`
	// Hits is what DeepSeek calls the cached ones.
	Hits count `json:"prompt_cache_hit_tokens"`
	Cost money `json:"cost"`
	// isKnown says that the server has counted: one that has no counts, or of another form, has
	// not.
	isKnown bool
}

// UnmarshalJSON passes over what is not an object: then nothing is known of what was used, and no
// reply is lost for it.
func (u *usage) UnmarshalJSON(text []byte) error {
	type plain usage
	if json.Unmarshal(text, (*plain)(u)) != nil {
		*u = usage{}
	}
	u.isKnown = bytes.HasPrefix(text, []byte("{")) && *u != usage{}

	return nil
}

// details are how much of a prompt came from a cache, and how much was put into one.
type details struct {
	Cached count `json:"cached_tokens"`
	Stored count `json:"cache_write_tokens"`
}

// UnmarshalJSON passes over what is not an object.
func (d *details) UnmarshalJSON(text []byte) error {
	type plain details
	if json.Unmarshal(text, (*plain)(d)) != nil {
		*d = details{}
	}

	return nil
}

// tokens are what was used. Servers that count thoughts in the total alone are taken at the total: it is what they bill.
func (u *usage) tokens() model.Usage {
	if u == nil {
		return model.Usage{}
	}

	cached := min(max(u.Details.Cached, u.Hits), u.Prompt)

	return model.Usage{
		Input: int(u.Prompt), Output: max(int(u.Completion), int(u.Total)-int(u.Prompt)),
		Cached: int(cached), Stored: int(min(u.Details.Stored, u.Prompt-cached)),
	}
}

// Used implements remote.Draft.
func (d *draft) Used() model.Usage { return d.usage.tokens() }

// Complete implements remote.Draft.
func (d *draft) Complete() bool { return remote.IsReason(d.finish) }

// Whole implements remote.Draft.
func (d *draft) Whole(text []byte) error {
	c, err := d.decode(text)
	if err != nil {
		return err
	}
	d.model, d.usage = c.Model, c.Usage
	if choice := c.reply(); choice != nil {
		d.begun, d.finish = true, choice.Finish
		_, err = d.addWhole(&choice.Message)

		return err
	}
	d.other = text

	return nil
}

// Part implements remote.Draft.
func (d *draft) Part(data []byte) (last bool, err error) {
	if string(data) == remote.Done {
		return true, nil
	}
	c, err := d.decode(data)
	if err != nil {
		return false, err
	}
	if c.Model != "" {
		d.model = c.Model
	}
	if c.Usage != nil && (c.Usage.isKnown || d.usage == nil) {
		d.usage = c.Usage
	}
	choice := c.reply()
	if choice == nil {
		return false, d.without(c, data)
	}
	d.begun = true
	if err := d.addDelta(&choice.Delta); err != nil {
		return false, err
	}
	d.reading.Wrote(string(choice.Delta.Content))
	text, err := d.addWhole(&choice.Message) // the whole, so far, beside its parts or in place of them
	if err != nil {
		return false, err
	}
	d.reading.Wrote(text)
	d.finish = reasons.Worse(d.finish, choice.Finish)

	return false, nil
}

// decode reads a reply, or a part of one, that is no error.
func (d *draft) decode(text []byte) (*completion, error) {
	c, err := d.decoder.Next(text)
	switch {
	case err != nil:
		return nil, remote.Unreadable(err)
	case c.IsSaid() || c.IsError():
		return nil, d.reading.Refused(text)
	}
	if choice := c.reply(); choice != nil && choice.IsSaid() {
		return nil, d.reading.Refused(choice.said(text))
	}

	return c, nil
}

// said is the error of a choice, in a part of a reply.
func (c *choice) said(part []byte) []byte {
	for _, raw := range []json.RawMessage{c.Error, c.Errors} {
		if !remote.IsEmpty(raw) {
			return raw
		}
	}

	return part
}

// without notes a part that has no choice. Errors: *remote.Refusal if the part can be nothing else.
func (d *draft) without(c *completion, data []byte) error {
	if c.Usage != nil || c.Choices != nil {
		return nil
	}
	if d.other == nil {
		d.other = bytes.Clone(data)
	}

	return d.reading.PartRefused(data)
}

// newDecoder decodes replies, or the parts of one.
func newDecoder() *remote.Repeats[completion] {
	return &remote.Repeats[completion]{Decode: decodeReply, Texts: []remote.Text[completion]{{Name: `"content":"`, In: contentOf}}}
}

// contentOf is the text of a reply, or of a part of one.
func contentOf(c *completion) *string {
	switch {
	case len(c.Choices) != 1:
		return nil
	case c.Choices[0].Delta.Content != "":
		return (*string)(&c.Choices[0].Delta.Content)
	}

	return (*string)(&c.Choices[0].Message.Content)
}

// decodeReply reads a reply, or a part of one. Some servers put it into a list of one.
func decodeReply(text []byte) (c completion, err error) {
	err = json.Unmarshal(text, &c)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Value == "array" && wrong.Field == "" {
		var several []completion
		if json.Unmarshal(text, &several) == nil && len(several) == 1 {
			return several[0], nil
		}
	}

	return c, err
}

// Finish implements remote.Draft.
func (d *draft) Finish() (model.Reply, error) {
	reply, failed := d.reading.Reply(d.model, d.finish, reasons, d.Used())
	reply.Text = d.reading.Text(d.text.String())
	if d.bills && d.usage != nil {
		reply.Cost = int64(d.usage.Cost)
	}
	d.addCalls(&reply) // also to a reply that has failed: the model has written them
	refusal := strings.TrimSpace(d.refusal.String())
	switch {
	case !d.begun:
		return reply, d.reading.NotAReply(d.other, "choices")
	case refusal != "":
		return reply, remote.NewBroken(model.Refused, "the model refuses: "+refusal)
	case failed != nil:
		return reply, failed
	}
	if reply.StopReason == model.ReasonStop && len(reply.Calls) > 0 {
		reply.StopReason = model.ReasonCalls // as some servers forget to say
	}

	return reply, nil
}

// addCalls adds the calls to a reply, and what has to come back with them.
func (d *draft) addCalls(reply *model.Reply) {
	var kept extras
	for _, c := range d.calls {
		call := d.reading.Call(c.id, c.name, c.args.String())
		reply.Calls = append(reply.Calls, call)
		kept.keep(call.ID, d.reading.Key.Hide(c.extra))
	}
	reply.Carry = kept.carry()
}

// reasons are the words for the end of a reply: those of OpenAI, and of others that have the same
// API.
var reasons = remote.Reasons{
	"stop": model.ReasonStop, "eos": model.ReasonStop, "eos_token": model.ReasonStop, "end_turn": model.ReasonStop,
	"stop_sequence": model.ReasonStop, "complete": model.ReasonStop,

	"length": model.ReasonLength, "max_tokens": model.ReasonLength, "model_length": model.ReasonLength,
	"max_output_tokens": model.ReasonLength, "max_completion_tokens": model.ReasonLength, "max_length": model.ReasonLength,
	"model_context_window_exceeded": model.ReasonLength,

	"tool_calls": model.ReasonCalls, "tool_call": model.ReasonCalls, "tool_use": model.ReasonCalls,
	"function_call": model.ReasonCalls,

	"refusal": model.ReasonRefusal,
}
