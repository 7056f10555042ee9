package progress

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestLinesOfRetries: waits are rounded, and the same problem is shown once for attempts in a row.
func TestLinesOfRetries(t *testing.T) {
	retry := func(count int, problem, address string, wait time.Duration) event.Event {
		return event.Event{Kind: event.Retry, Agent: "look", Problem: problem, Count: count, Address: address, Wait: wait}
	}
	var out strings.Builder
	p := New(quiet(&out), nil)
	for _, e := range []event.Event{
		retry(1, "busy (request 1)", "1", 411_003_391), retry(2, "busy (request 2)", "1", 8*time.Second),
		retry(1, "busy", "2.1.1", 0), retry(3, "down", "1", time.Minute), retry(4, "down", "1", time.Minute), retry(1, "down", "2", 0),
	} {
		p.Observe(e)
	}
	const want = `look: attempt 1 failed, again in 0.4s: busy (request 1)
look: attempt 2 failed, again in 8s: the same
look@1: attempt 1 failed, again in 0s: busy
look: attempt 3 failed, again in 1m: down
look: attempt 4 failed, again in 1m: the same
look: attempt 1 failed, again in 0s: down
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

// TestLinesOfEstimates: that tokens are estimated is reported once for a run.
func TestLinesOfEstimates(t *testing.T) {
	turn := event.Event{Kind: event.Model, Agent: "look", Name: "lmstudio:m", Usage: model.Usage{Input: 3, Estimated: true}, Address: "1"}
	var out strings.Builder
	p := New(quiet(&out), nil)
	p.Observe(turn)
	p.Observe(turn)
	p.Resumed(&trace.Trace{Totals: trace.Totals{Estimated: true}})
	p.Observe(turn)
	const want = "look: the server reports no usage of lmstudio:m: tokens and cost are estimated from the bytes of texts, and budgets count that\n"
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

func TestLinesOfAFlow(t *testing.T) {
	events := []event.Event{
		{Kind: event.Run, Agent: "team"},
		{Kind: event.Model, Agent: "team", Address: "1"},
		{Kind: event.Finish, Agent: "team", Key: "parallel", Address: "1"},
		{Kind: event.Enter, Machine: "desk", State: "look", Address: "2.0"},
		{Kind: event.Enter, Machine: "desk", State: "look", Address: "2.1"},
		{Kind: event.Retry, Agent: "look", Problem: "busy", Count: 1, Address: "2.1.1"},
		{Kind: event.Retry, Agent: "look", Problem: "no key", Count: 2, Name: "openai:b", Address: "2.1.1"},
		{Kind: event.Budget, Name: "10 calls", Text: "8 calls", Address: "2.1.1"},
		{Kind: event.Model, Agent: "look", Address: "2.0.1"},
		{Kind: event.Tool, Agent: "look", Name: "start", Address: "2.0.1"},
		{Kind: event.Tool, Agent: "look", Name: "one of two", Address: "2.0.2.0.1"},
		{Kind: event.Tool, Agent: "look", Name: "two of two", Address: "2.0.2.1.1"},
		{Kind: event.Finish, Agent: "look", Key: "found", Address: "2.0.2"},
		{Kind: event.Transition, Machine: "desk", State: "look", Key: "found", To: "tell", Matched: "exact", Address: "2.0.2"},
		{Kind: event.Enter, Machine: "desk", State: "tell", Address: "2.0.2"},
		{Kind: event.Error, Agent: "look", Problem: "lost", Address: "2.1.2"},
		{Kind: event.Repair, Agent: "tell", Problem: "an empty reply", Address: "2.0.3"},
		{Kind: event.Finish, Agent: "tell", Key: "done", Address: "2.0.4"},
		{Kind: event.Finish, Agent: "desk", Key: "done", Address: "2.0.4"},
		{Kind: event.Tool, Agent: "team/reduce", Name: "mem_get", Address: "4"},
		{Kind: event.Tool, Agent: "team/reduce", Name: "side by side", Address: "5.1.1"},
		{Kind: event.Finish, Agent: "team/reduce", Key: "approved", Address: "5"},
		{Kind: event.Finish, Agent: "team", Key: "approved", Address: "5"},
		{Kind: event.Error, Agent: "team", Problem: "told at the end", Address: "6"},
		{Kind: event.End, Status: "failed"},
	}
	var out strings.Builder
	p := New(quiet(&out), nil)
	for _, e := range events {
		p.Observe(e)
	}
	const want = `desk@0: look
desk@1: look
look@1: attempt 1 failed, again in 0s: busy
look@1: attempt 2 failed, openai:b is asked instead: no key
team@1: budget: 8 calls of 10 calls are spent
look@0: tool start
look@0: tool one of two
look@0: tool two of two
desk@0: look --found--> tell
look@1: failed: lost
tell@0: asking again: an empty reply
team/reduce: tool mem_get
team/reduce: tool side by side
team/reduce: finished with approved
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// quiet is a call whose stderr is no terminal.
func quiet(stderr io.Writer) *cli.Call {
	return &cli.Call{Env: &cli.Env{Stderr: stderr, Getenv: func(string) string { return "" }}, Program: &cli.Program{Name: "desk"}}
}

// While a question is asked, other branches do not write into it.
func TestHush(t *testing.T) {
	var out strings.Builder
	p := New(quiet(&out), nil)
	p.Observe(event.Event{Kind: event.Run, Agent: "desk"})
	first, second := p.Hush(), p.Hush()
	asked := out.String()
	p.Observe(event.Event{Kind: event.Repair, Agent: "a", Problem: "empty", Address: "1.0.1"})
	first()
	if out.String() != asked {
		t.Errorf("wrote %q into the question", out.String()[len(asked):])
	}
	second()
	if got := out.String()[len(asked):]; got != "a@0: asking again: empty\n" {
		t.Errorf("wrote %q after it", got)
	}
}
