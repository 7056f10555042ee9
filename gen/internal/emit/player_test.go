package emit_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// player is a door at whose other side everything follows from what is asked, so that who asks the
// same is answered the same. It writes down what goes through it. This file is part of the program
// that TestFlowsMeanTheirOperations runs, too.
type player struct {
	log   strings.Builder
	calls int
}

// What a run may ask for, so that flows in flows come to an end, and texts that hold each other
// stay small.
const (
	maxCalls = 200
	maxInput = 1 << 14
)

var errEnough = errors.New("enough")

func sum(parts ...any) uint32 {
	h := fnv.New32a()
	fmt.Fprintf(h, "%q", parts)

	return h.Sum32()
}

func (p *player) write(format string, args ...any) { fmt.Fprintf(&p.log, format+"\n", args...) }

// Model answers with a list, with done, or with text, and finishes with one of a few keys.
func (p *player) Model(r model.Request) (model.Reply, error) {
	p.calls++
	luck := sum(r.Agent, r.Turn, r.Input)
	p.write("%s, turn %d: %d bytes, %08x", r.Agent, r.Turn, len(r.Input), sum(r.Input, r.System, r.Messages))
	if p.calls > maxCalls || len(r.Input) > maxInput || luck%40 == 0 {
		return model.Reply{}, errEnough
	}

	texts := []string{fmt.Sprintf(`["a %d", "b"]`, luck%9), "DONE, I think", "done", fmt.Sprintf("- x\n- y %d", luck%9)}
	text := texts[int(luck/7)%len(texts)]
	if r.Turn > 0 {
		text = texts[0]
	}
	if r.Tools == nil {
		return model.Reply{Text: text}, nil
	}
	key, value := []string{"done", "over", " STOP", "list"}[luck/3%4], fmt.Sprintf("%q", text)
	switch {
	case r.Turn > 0:
		key = "done"
	case key == "list":
		value = texts[0]
	}

	return model.Reply{Calls: []model.ToolCall{
		{ID: "1", Name: "finish", Args: fmt.Sprintf(`{"key": %q, "value": %s}`, key, value)},
	}}, nil
}

// Ask answers as a person.
func (p *player) Ask(q runtime.Question) (runtime.Answer, error) {
	p.write("%s asks by %q: %08x", q.Agent, q.Channel, sum(q.ID, q.Prompt))

	return runtime.Answer{Value: fmt.Sprintf("answer %d", sum(q.Prompt)%9)}, nil
}

// Parallel runs the branches one after another.
func (p *player) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	p.write("%d branches, %d at a time", n, limit)
	var errs []error
	for i := range n {
		errs = append(errs, branch(i, p))
	}

	return errors.Join(errs...)
}

// Note writes down how agents end.
func (p *player) Note(e event.Event) {
	p.write("%s %s %s %08x %s", e.Kind, e.Agent, e.Key, sum(e.Value), e.Type)
}

func (p *player) Tool(runtime.ToolCall) (runtime.ToolResult, error) {
	return runtime.ToolResult{}, errEnough
}

func (p *player) Call(runtime.FuncCall) (runtime.FuncResult, error) {
	return runtime.FuncResult{}, errEnough
}

func (p *player) Guard(runtime.GuardCall) (runtime.Verdict, error) {
	return runtime.Verdict{}, errEnough
}

func (p *player) Sleep(time.Duration) error { return nil }

func (p *player) Backoff(agent string, attempt int, failed error, _ model.Retry) error {
	p.Note(event.Event{Kind: event.Retry, Agent: agent, Count: attempt, Problem: failed.Error()})

	return nil
}

func (p *player) Now() time.Time { return time.Time{} }

// play runs one flow and returns what went through the door, and how it ended.
func play(name string, run func(fx runtime.Effects, input string) (runtime.Finish, error)) string {
	p := &player{}
	fin, err := run(p, "the task of "+name)
	p.write("%s ends: %q, %v, %08x, %v", name, fin.Key, fin.JSON, sum(fin.Value), err)

	return p.log.String()
}

// Watched says that notes are wanted.
func (p *player) Watched() bool { return true }

// Limit keeps no budgets.
func (p *player) Limit(string, string, *runtime.Budget) (end func()) { return func() {} }

// Listen hears of no signals.
func (p *player) Listen(string, string, []signals.Rule) (end func()) { return func() {} }
