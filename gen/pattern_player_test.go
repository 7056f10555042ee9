package gen_test

// patternPlayer is a program that runs the entry points of all cases and prints what their conversations are given, as a txtar
// archive.
const patternPlayer = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/enginetest"
	"github.com/agentc-dev/agentc/runtime/local"

%s)

// spy is a door that writes down what goes through it. Branches have spies of their own, so that what is written does not
// depend on which of them is first.
type spy struct {
	runtime.Effects
	text strings.Builder
	// calls counts the model calls of the whole run; call is told of each.
	call func()
	// known is how many messages of a conversation have been written down.
	known map[string]int
}

func newSpy(fx runtime.Effects, call func()) *spy {
	return &spy{Effects: fx, call: call, known: map[string]int{}}
}

func (s *spy) Model(r runtime.ModelRequest) (runtime.ModelReply, error) {
	if r.Turn == 0 {
		s.begin(r)
	}
	for _, m := range r.Messages[s.known[r.Agent]:] {
		s.message(m)
	}
	s.known[r.Agent] = len(r.Messages)
	s.call()

	return s.Effects.Model(r)
}

func (s *spy) begin(r runtime.ModelRequest) {
	fmt.Fprintf(&s.text, "== %%s (%%s)\n", r.Agent, r.Model.Role)
	s.block("system", r.System)
	s.block("input", r.Input)
	for _, tool := range r.Tools {
		if tool.Name == "finish" {
			s.block("finish", tool.Schema)
		}
	}
	s.known[r.Agent] = 1 // the first message is the input, or only begins
}

func (s *spy) message(m runtime.Message) {
	for _, call := range m.Calls {
		s.block("called "+call.Name, call.Args)
	}
	if m.Text != "" {
		s.block(strings.TrimSpace(string(m.Role)+" "+m.Name), m.Text)
	}
}

func (s *spy) block(title, text string) {
	fmt.Fprintf(&s.text, "%%s:\n  %%s\n", title, strings.ReplaceAll(text, "\n", "\n  "))
}

func (s *spy) Ask(q runtime.Question) (runtime.Answer, error) {
	s.block("ask "+q.ID+" by "+q.Channel, q.Prompt)

	return s.Effects.Ask(q)
}

func (s *spy) Parallel(n, limit int, branch func(int, runtime.Effects) error) error {
	spies := make([]*spy, n)
	err := s.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error {
		spies[i] = newSpy(fx, s.call)

		return branch(i, spies[i])
	})
	fmt.Fprintf(&s.text, "== %%d branches, %%d at a time\n", n, limit)
	for _, branch := range spies {
		if branch != nil {
			s.text.WriteString(branch.text.String())
		}
	}

	return err
}

// spied returns p with a spy in front of each agent; call is told of each model call, and the spies' texts are given to told.
func spied(p *runtime.Program, call func(), told func(string)) *runtime.Program {
	copied := *p
	copied.Agents = append([]runtime.AgentInfo(nil), p.Agents...)
	for i := range copied.Agents {
		run := copied.Agents[i].Run
		if run == nil {
			continue
		}
		copied.Agents[i].Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
			s := newSpy(fx, call)
			fin, err := run(s, input)
			told(s.text.String())

			return fin, err
		}
	}

	return &copied
}

func engine() runtime.Engine {
	return local.New(local.Config{
		Clock: local.NewSkipClock(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)),
		RunID: func() string { return "run" },
	})
}

// once runs p and returns what was told and how it ended. onCall, if not nil, is told of each model call.
func once(ctx context.Context, e runtime.Engine, p *runtime.Program, task string, onCall func()) (string, error) {
	var text string
	fin, err := e.Run(ctx, spied(p, onCall, func(told string) { text = told }), p.Entry, task)
	if err != nil {
		return fmt.Sprintf("%%s== error %%s\n%%v\n", text, runtime.ErrorType(err), err), err
	}
	value, _ := json.Marshal(fin.Value)
	if fin.JSON {
		value = []byte(fin.Value)
	}

	return fmt.Sprintf("%%s== finish %%s\n%%s\n", text, fin.Key, value), nil
}

func play(name string, p *runtime.Program, task string) {
	fmt.Printf("-- %%s --\n", name)
	calls := 0
	first, _ := once(context.Background(), enginetest.Permute(engine(), 1), p, task, func() { calls++ })
	fmt.Print(first)
	for seed := range int64(4) {
		if other, _ := once(context.Background(), enginetest.Permute(engine(), seed+2), p, task, func() {}); other != first {
			fmt.Printf("in another order:\n%%s", other)
		}
	}
	for k := 1; k <= calls; k++ {
		cancelled(p, task, k)
	}
}

// cancelled cancels a run in its k-th model call and complains if it goes on or returns another cause.
func cancelled(p *runtime.Program, task string, k int) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	calls := 0
	_, err := once(ctx, enginetest.Permute(engine(), 1), p, task, func() {
		if calls++; calls == k {
			cancel(cause)
		}
	})
	if !errors.Is(err, cause) || calls != k {
		fmt.Printf("cancelled in call %%d: %%d calls, %%v\n", k, calls, err)
	}
}

func main() {
%s}
`
