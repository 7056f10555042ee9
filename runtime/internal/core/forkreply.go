package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// replacement is the result of an effect with another reply than it had.
func replacement(run, at string, was *past, reply []byte) (journal.Record, error) {
	unfit := func(problem string) error {
		return &UnknownAddressError{Run: run, Address: at, Problem: problem}
	}
	if was.intent == nil {
		return journal.Record{}, unfit(was.describe() + " has no reply that could be another")
	}
	r := journal.Record{Type: journal.Result, Address: at, Name: was.intent.Name}
	text := strings.TrimSuffix(string(reply), "\n")
	switch was.intent.Name {
	case kindModel:
		r.Fields = modelCodec.fields(otherReply(at, text))
	case kindTool:
		// What was JSON stays JSON, if it can be read as that.
		isJSON := was.result != nil && field(was.result, "json") == "true" && json.Valid([]byte(text))
		result := runtime.ToolResult{Text: text, JSON: isJSON}
		if was.result != nil { // the model sees as much of it at once
			before, _ := toolCodec.read(was.result)
			result.Shown = before.Shown
		}
		r.Fields = append(toolCodec.fields(result), memoryOf(was)...)
	case kindCall:
		if !json.Valid([]byte(text)) {
			return r, unfit("the value of " + was.describe() + " must be JSON")
		}
		r.Fields = callCodec.fields(runtime.FuncResult{Value: json.RawMessage(text)})
	case kindAsk:
		var q question
		_ = json.Unmarshal([]byte(field(was.intent, "args")), &q) // what cannot be read has no choices
		value, ok := runtime.Question{Choices: q.Choices}.Choose(text)
		if !ok {
			return r, &AnswerError{Run: run, Question: q.ID, Answer: text, Choices: q.Choices}
		}
		r.Fields = askCodec.fields(runtime.Answer{Value: value, By: "fork"})
	case kindGuard:
		var verdict struct {
			OK     bool
			Reason string
		}
		if err := strictly(text, &verdict); err != nil {
			return r, unfit(fmt.Sprintf(`the verdict of %s must be {"ok":…,"reason":…}: %v`, was.describe(), err))
		}
		r.Fields = guardCodec.fields(runtime.Verdict{OK: verdict.OK, Reason: verdict.Reason})
	default:
		return r, unfit(was.describe() + " has no reply that could be another")
	}

	return r, nil
}

// memoryOf says that a tool was answered by the memory: what it has stored is stored in the fork, too.
func memoryOf(was *past) []journal.Field {
	if was.result == nil {
		return nil
	}

	return given("memory", field(was.result, "memory"))
}

// otherReply is what a model is to have said: text, or JSON of the form that ForkOptions names.
func otherReply(at, text string) model.Reply {
	var said struct {
		Text  string
		Calls []struct {
			ID, Name string
			Args     json.RawMessage
		}
	}
	reply := model.Reply{Text: text, StopReason: "stop", Model: "fork"}
	if strictly(text, &said) != nil {
		return reply
	}
	reply.Text = said.Text
	for i, call := range said.Calls {
		args := string(call.Args)
		var quoted string
		if json.Unmarshal(call.Args, &quoted) == nil {
			args = quoted
		}
		if call.ID == "" {
			call.ID = fmt.Sprintf("fork-%s-%d", at, i+1)
		}
		reply.Calls = append(reply.Calls, model.ToolCall{ID: call.ID, Name: call.Name, Args: args})
		reply.StopReason = "tool_calls"
	}

	return reply
}

// strictly reads one JSON object that has no other members than the value.
func strictly(text string, value any) error {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(value); err != nil {
		return err
	}
	if d.More() {
		return fmt.Errorf("there is more behind it")
	}

	return nil
}
