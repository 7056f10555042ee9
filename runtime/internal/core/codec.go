package core

import (
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// codec is how results of a kind of effect are recorded.
type codec[T any] struct {
	fields func(T) []journal.Field
	// read is only asked of what fields has written.
	read func(*journal.Record) (T, error)
	// skipped is what an effect came to that had begun and is not repeated; nil where there is no such thing.
	skipped func(*intent) (T, error)
	// given makes a result of what a person has given in the place of one; nil where there is no such thing.
	given func(text string, isJSON bool) T
}

// given are the fields that say something.
func given(pairs ...string) []journal.Field {
	fields := make([]journal.Field, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fields = append(fields, journal.Field{Name: pairs[i], Value: pairs[i+1]})
		}
	}

	return fields
}

func field(r *journal.Record, name string) string {
	value, _ := r.Get(name)

	return value
}

// count and truth write a number and a boolean so that zero and no are left out.
func count(n int64) string {
	if n == 0 {
		return ""
	}

	return strconv.FormatInt(n, 10)
}

func truth(b bool) string {
	if !b {
		return ""
	}

	return "true"
}

// numberOf reads what count has written.
func numberOf(text string) (n int64, err error) {
	if text == "" {
		return 0, nil
	}

	return strconv.ParseInt(text, 10, 64)
}

var toolCodec = codec[runtime.ToolResult]{
	fields: func(r runtime.ToolResult) []journal.Field {
		return given("text", r.Text, "json", truth(r.JSON), "problem", r.Problem, "shown", count(int64(r.Shown)))
	},
	read: func(r *journal.Record) (runtime.ToolResult, error) {
		shown, err := numberOf(field(r, "shown"))

		return runtime.ToolResult{
			Text: field(r, "text"), JSON: field(r, "json") == "true", Problem: field(r, "problem"), Shown: int(shown),
		}, err
	},
	skipped: skippedTool,
	given:   func(text string, isJSON bool) runtime.ToolResult { return runtime.ToolResult{Text: text, JSON: isJSON} },
}

var callCodec = codec[runtime.FuncResult]{
	fields: func(r runtime.FuncResult) []journal.Field { return given("value", string(r.Value)) },
	read: func(r *journal.Record) (result runtime.FuncResult, _ error) {
		if value := field(r, "value"); value != "" {
			result.Value = json.RawMessage(value)
		}

		return result, nil
	},
	skipped: skippedCall,
	given:   func(text string, _ bool) runtime.FuncResult { return runtime.FuncResult{Value: json.RawMessage(text)} },
}

// ruling is what was decided about a signal, as it is recorded.
type ruling struct {
	Kind   string `json:"kind"`
	Value  string `json:"value,omitempty"`
	Answer string `json:"answer"`
	Key    string `json:"key,omitempty"`
	Tier   string `json:"tier"`
}

var guardCodec = codec[runtime.Verdict]{
	fields: func(v runtime.Verdict) []journal.Field {
		signal := ""
		if s := v.Signal; s != nil {
			text, err := json.Marshal(ruling{s.Signal.Kind, s.Signal.Value, string(s.Answer), s.Key, string(s.Tier)})
			if err != nil {
				panic(err) // nothing but texts
			}
			signal = string(text)
		}

		return given("ok", truth(v.OK), "reason", v.Reason, "signal", signal)
	},
	read: func(r *journal.Record) (runtime.Verdict, error) {
		v := runtime.Verdict{OK: field(r, "ok") == "true", Reason: field(r, "reason")}
		text := field(r, "signal")
		if text == "" {
			return v, nil
		}
		var s ruling
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			return v, err
		}
		v.Signal = &signals.Ruling{
			Signal: signals.Signal{Kind: s.Kind, Value: s.Value}, Answer: signals.Answer(s.Answer), Key: s.Key, Tier: signals.Tier(s.Tier),
		}

		return v, nil
	},
}

var askCodec = codec[runtime.Answer]{
	fields: func(a runtime.Answer) []journal.Field { return given("value", a.Value, "by", a.By) },
	read: func(r *journal.Record) (runtime.Answer, error) {
		return runtime.Answer{Value: field(r, "value"), By: field(r, "by")}, nil
	},
}

var nowCodec = codec[time.Time]{
	fields: func(t time.Time) []journal.Field { return given("time", t.Format(time.RFC3339Nano)) },
	read:   func(r *journal.Record) (time.Time, error) { return time.Parse(time.RFC3339Nano, field(r, "time")) },
}

// sleepCodec is that of an effect which has nothing to say.
var sleepCodec = codec[struct{}]{
	fields: func(struct{}) []journal.Field { return nil },
	read:   func(*journal.Record) (none struct{}, _ error) { return none, nil },
}

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
