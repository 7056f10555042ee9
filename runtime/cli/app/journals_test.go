package app

import (
	"context"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// noon is when the runs of these tests begin.
var noon = time.Date(2025, 11, 22, 12, 0, 0, 0, time.UTC)

// keepRun keeps a journal whose records follow each other by a second, and returns its owner.
func keepRun(t *testing.T, store journal.Store, begun time.Time, records ...journal.Record) *journal.Writer {
	t.Helper()
	for i := range records {
		records[i].Time = begun.Add(time.Duration(i) * time.Second)
	}
	w, err := journal.Create(context.Background(), store, records[0].Name, records[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records[1:] {
		w.Append(r)
		if err := w.Sync(); err != nil {
			t.Fatal(err)
		}
	}

	return w
}

// leaveRun is keepRun for a run that nobody owns.
func leaveRun(t *testing.T, store journal.Store, begun time.Time, records ...journal.Record) {
	t.Helper()
	if err := keepRun(t, store, begun, records...).Close(); err != nil {
		t.Fatal(err)
	}
}

// rec is a record; fields are names and values in turn.
func rec(kind journal.Type, address, name string, fields ...string) journal.Record {
	r := journal.Record{Type: kind, Address: address, Name: name}
	for i := 0; i < len(fields); i += 2 {
		r.Fields = append(r.Fields, journal.Field{Name: fields[i], Value: fields[i+1]})
	}

	return r
}

func begin(run, agent string) journal.Record {
	return rec(journal.Begin, "", run, "program", "desk", "agent", agent, "input", "a task", "shape", "s1", "text", "t1", "runtime", "v1")
}

func eventRecord(address, kind, agent string, fields ...string) journal.Record {
	return rec(journal.Event, address, kind, append([]string{"agent", agent}, fields...)...)
}

func enter(address, machine, state string) journal.Record {
	return eventRecord(address, "enter", machine, "machine", machine, "state", state, "visit", "1")
}

func asks(address, id, prompt string) journal.Record {
	return rec(journal.Intent, address, "ask", "what", id, "args", `{"id":"`+id+`","agent":"`+id+`","prompt":"`+prompt+`","choices":["yes","no"]}`)
}

func ends(status string, fields ...string) journal.Record {
	return rec(journal.End, "", status, fields...)
}

// deskRun is a run of the machine desk that failed, was resumed and is done.
func deskRun(run string) []journal.Record {
	const denied = "401: who are you?"

	return []journal.Record{
		begin(run, "desk"),
		enter("", "desk", "draft"),
		rec(journal.Intent, "1", "model", "what", "draft"),
		eventRecord("1", "retry", "draft", "attempt", "1", "error", "429: slow down", "wait", "1s"),
		rec(journal.Result, "1", "model", "text", "", "calls", `[{"ID":"c1","Name":"search"},{"ID":"c2","Name":"search"}]`,
			"tokens_in", "120", "tokens_out", "30", "cost", "1250", "stop", "tool_calls", "model", "openai:gpt"),
		rec(journal.Intent, "2", "parallel", "n", "2"),
		rec(journal.Intent, "2.0.1", "tool", "what", "search", "args", `{"q":"one"}`),
		rec(journal.Intent, "2.1.1", "tool", "what", "search", "args", `{"q":"two"}`),
		rec(journal.Result, "2.1.1", "tool", "text", "", "problem", "timeout"),
		eventRecord("2.1.1", "tool", "draft", "name", "search", "args", `{"q":"two"}`, "error", "timeout"),
		rec(journal.Result, "2.0.1", "tool", "text", "three hits"),
		eventRecord("2.0.1", "tool", "draft", "name", "search", "args", `{"q":"one"}`, "result", "three hits"),
		eventRecord("2", "tool", "draft", "name", "publish", "args", "{}", "error", "there is no tool publish"),
		eventRecord("2", "repair", "draft", "problem", "the key is unknown"),
		rec(journal.Result, "2", "parallel"),
		rec(journal.Intent, "3", "model", "what", "draft"),
		rec(journal.Result, "3", "model", "error", denied, "error_type", "ModelError"),
		eventRecord("3", "error", "draft", "type", "ModelError", "message", denied),
		eventRecord("3", "error", "desk", "type", "ModelError", "message", denied),
		ends("failed", "error", denied, "error_type", "ModelError"),
		rec(journal.Opened, "", "", "shape", "s1", "text", "t2", "runtime", "v2"),
		rec(journal.Event, "3", "resume"),
		rec(journal.Intent, "3", "model", "what", "draft"),
		rec(journal.Result, "3", "model", "text", "first", "calls", "null", "tokens_in", "200", "tokens_out", "10", "model", "openai:gpt"),
		eventRecord("3", "finish", "draft", "key", "done", "value", "first", "synthetic", "true"),
		eventRecord("3", "transition", "desk", "machine", "desk", "from", "draft", "key", "done", "to", "polish", "matched", "guard",
			"visit", "1", "guards", `[{"guard":"is-short","ok":false,"reason":"too long"},{"guard":"visits < 3","ok":true}]`),
		enter("3", "desk", "polish"),
		asks("4", "polish", "Good enough?"),
		rec(journal.Answer, "4", "polish", "value", "yes", "by", "ada"),
		rec(journal.Result, "4", "ask", "value", "yes", "by", "ada"),
		eventRecord("4", "finish", "polish", "key", "yes", "value", "second", "synthetic", "false"),
		eventRecord("4", "transition", "desk", "machine", "desk", "from", "polish", "key", "yes", "to", "null", "matched", "unconditional"),
		eventRecord("4", "finish", "desk", "key", "yes", "value", "second", "synthetic", "false"),
		ends("done", "key", "yes", "value", "second\nline", "json", "false"),
	}
}
