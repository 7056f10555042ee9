package core

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// calling is a call of a tool in a model's reply, as it is recorded.
type calling struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name"`
	Args string `json:"args,omitempty"`
	// Bytes are all three where JSON cannot hold what the model wrote as texts.
	Bytes [][]byte `json:"bytes,omitempty"`
}

func callingOf(c model.ToolCall) calling {
	as := calling{ID: c.ID, Name: c.Name, Args: c.Args}
	if !utf8.ValidString(c.ID) || !utf8.ValidString(c.Name) || !utf8.ValidString(c.Args) {
		as.Bytes = [][]byte{[]byte(c.ID), []byte(c.Name), []byte(c.Args)}
	}

	return as
}

func (c calling) call() model.ToolCall {
	if len(c.Bytes) == 3 {
		return model.ToolCall{ID: string(c.Bytes[0]), Name: string(c.Bytes[1]), Args: string(c.Bytes[2])}
	}

	return model.ToolCall{ID: c.ID, Name: c.Name, Args: c.Args}
}

var modelCodec = codec[model.Reply]{
	fields: func(r model.Reply) []journal.Field {
		calls := ""
		if len(r.Calls) > 0 {
			list := make([]calling, len(r.Calls))
			for i, c := range r.Calls {
				list[i] = callingOf(c)
			}
			text, err := json.Marshal(list)
			if err != nil {
				panic(err) // nothing but texts
			}
			calls = string(text)
		}

		fields := given("text", r.Text, "calls", calls)
		fields = append(fields, spending{r.Usage, r.Cost}.fields("")...)

		return append(fields, given("stop", r.StopReason, "model", r.Model, "carry", r.Carry)...)
	},
	read: readReply,
}

func readReply(r *journal.Record) (reply model.Reply, err error) {
	spent, err := spendingOf(r, "")
	reply = model.Reply{
		Text: field(r, "text"), StopReason: field(r, "stop"), Model: field(r, "model"), Carry: field(r, "carry"),
		Usage: spent.usage, Cost: spent.cost,
	}
	if text := field(r, "calls"); text != "" {
		var list []calling
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return reply, err
		}
		for _, c := range list {
			reply.Calls = append(reply.Calls, c.call())
		}
	}

	return reply, err
}
