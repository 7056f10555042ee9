package openai

import (
	"bufio"
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// completion is a reply as servers write it, whole or in parts. What is not named here is passed over.
type completion struct {
	Model   lenient         `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type choice struct {
	// Index is "0" for the reply, and other numbers for others, which were not asked for; "" where the server does not say.
	Index   lenient `json:"index"`
	Message message `json:"message"`
	Delta   message `json:"delta"`
	Finish  lenient `json:"finish_reason"`
}

type message struct {
	Content content    `json:"content"`
	Refusal lenient    `json:"refusal"`
	Calls   []toolCall `json:"tool_calls"`
	// Thoughts and Reasoning say whether there are any, by the names that servers have for them.
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
	Index    lenient `json:"index"`
	ID       lenient `json:"id"`
	Function struct {
		Name lenient `json:"name"`
		// Arguments are JSON as text; some servers write the JSON itself.
		Arguments lenient `json:"arguments"`
	} `json:"function"`
	Extra json.RawMessage `json:"extra_content"`
}

type usage struct {
	Prompt     count   `json:"prompt_tokens"`
	Completion count   `json:"completion_tokens"`
	Total      count   `json:"total_tokens"`
	Details    details `json:"prompt_tokens_details"`
	// Hits is what DeepSeek calls the cached ones.
	Hits count `json:"prompt_cache_hit_tokens"`
	Cost money `json:"cost"`
}

// details say how much of a prompt came from a cache, and how much was put into one.
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

// failed is the error in a reply, if there is one.
func (c *completion) failed() bool { return len(c.Error) > 0 && string(c.Error) != "null" }

// whole reads a reply that comes in one piece; length is what the server says that it has, -1 if it does not.
func (r *reading) whole(in *bufio.Reader, length int64) (model.Reply, error) {
	text, err := remote.ReadAll(in, length)
	if err != nil {
		return model.Reply{}, remote.Of(r.requestID, remote.CutBy(err))
	}
	c, err := newDecoder().Next(text)
	if err != nil {
		return model.Reply{}, remote.Of(r.requestID, remote.Unreadable(err))
	}
	if c.failed() {
		return model.Reply{}, remote.InReply(r.model.endpoint.Key, c.Error, r.requestID)
	}

	d := draft{model: c.Model, usage: c.Usage}
	if choice := c.reply(); choice != nil {
		d.begun = true
		d.finish = choice.Finish
		if err := d.add(&choice.Message, true); err != nil {
			return model.Reply{}, err
		}
	}
	reply, err := r.finish(&d)
	if err == nil && r.delta != nil && reply.Text != "" {
		r.delta(reply.Text)
	}

	return reply, err
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

// finish makes the reply of what has come.
func (r *reading) finish(d *draft) (model.Reply, error) {
	k := r.model.endpoint.Key
	reply := model.Reply{
		Text: k.Hide(r.withoutThoughts(d)), Usage: d.usage.tokens(),
		StopReason: stopReason(k.Clean(string(d.finish), remote.MaxWord)), Model: r.model.endpoint.Name,
	}
	if r.model.kind.bills && d.usage != nil {
		reply.Cost = int64(d.usage.Cost)
	}
	if answered := k.Clean(string(d.model), remote.MaxWord); answered != "" {
		reply.Model = r.model.endpoint.Provider + ":" + answered
	}
	refusal := strings.TrimSpace(d.refusal.String())
	switch {
	case !d.begun:
		return reply, remote.Of(r.requestID, remote.NewBroken(model.Server, "the reply has no choices"))
	case refusal != "":
		return reply, remote.Of(r.requestID, remote.NewBroken(model.Refused, "the model refuses: "+refusal))
	case reply.StopReason == model.ReasonFilter:
		return reply, remote.Of(r.requestID, remote.NewBroken(model.Refused, "a filter of the provider stopped the reply"))
	}
	reply.Calls, reply.Carry = r.calls(d.calls)
	r.silent = len(reply.Calls) == 0 && !d.thoughts && reply.StopReason != model.ReasonLength && strings.TrimSpace(reply.Text) == ""
	if reply.StopReason == model.ReasonStop && len(reply.Calls) > 0 {
		reply.StopReason = model.ReasonCalls // as some servers forget to say
	}

	return reply, nil
}

// withoutThoughts is the text of a reply. A server whose texts begin within thoughts is remembered: of the next ones nothing is shown before
// the thoughts have ended.
func (r *reading) withoutThoughts(d *draft) string {
	text, some, inside := remote.WithoutThoughts(d.text.String())
	d.thoughts = d.thoughts || some
	if inside {
		r.model.inside.Store(true)
	}

	return text
}

// calls are the calls of a reply, with ids that no other call of the conversation has, and what has to go back with them.
func (r *reading) calls(drafts []*draftCall) (_ []model.ToolCall, carry string) {
	if len(drafts) == 0 {
		return nil, ""
	}
	k := r.model.endpoint.Key
	ids := remote.IDsOf(r.request)
	calls := make([]model.ToolCall, len(drafts))
	var kept extras
	for i, d := range drafts {
		calls[i] = model.ToolCall{
			ID: ids.Unique(k.Hide(d.id), r.request.Turn, i), Name: k.Hide(d.name), Args: k.Hide(d.args.String()),
		}
		kept.keep(calls[i].ID, k.Hide(d.extra))
	}

	return calls, kept.carry()
}
