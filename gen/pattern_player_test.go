package gen_test

// patternPlayer is a program that runs the entry points of all cases and prints what their conversations are given, as a txtar
// archive; of workflows also what they do.
const patternPlayer = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/testing/enginetest"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"

%s)

// spy is a door that writes down what goes through it. Branches have spies of their own, so that what is written does not
// depend on which of them is first.
type spy struct {
	runtime.Effects
	text strings.Builder
	// call is told of each model call of the run.
	call func()
	// tells says that the way through a workflow is written down too.
	tells bool
	// known is how many messages of a conversation have been written down, shown what was last written under a title.
	known map[string]int
	shown map[string]string
}

func newSpy(fx runtime.Effects, call func(), tells bool) *spy {
	return &spy{Effects: fx, call: call, tells: tells, known: map[string]int{}, shown: map[string]string{}}
}

func (s *spy) Model(r model.Request) (model.Reply, error) {
	if r.Turn == 0 {
		s.begin(r)
	}
	for _, m := range r.Messages[s.known[r.Agent]:] {
		s.message(m)
	}
	s.known[r.Agent] = len(r.Messages)
	s.call()
	if r.Agent == "panics" {
		panic("a fault of its own")
	}

	return s.Effects.Model(r)
}

func (s *spy) begin(r model.Request) {
	fmt.Fprintf(&s.text, "== %%s (%%s)\n", r.Agent, choice(r.Model))
	s.standing(r.Agent, "system", r.System)
	for _, tool := range r.Tools {
		if tool.Name == "finish" {
			s.standing(r.Agent, "finish", tool.Schema)
		}
	}
	s.block("input", r.Input)
	s.known[r.Agent] = 1 // the first message is the input, or only begins
}

func choice(m *model.Choice) string {
	text := m.Role + m.Name
	for _, setting := range model.SettingTable() {
		if value := setting.Text(m.Settings); value != "" {
			text += ", " + setting.Name + " " + value
		}
	}

	return text
}

// standing writes what stands before an agent's conversation, if it is not what stood there the last time.
func (s *spy) standing(agent, title, text string) {
	if s.shown[agent+" "+title] != text {
		s.block(title, text)
		s.shown[agent+" "+title] = text
	}
}

func (s *spy) message(m model.Message) {
	if m.Text != "" {
		s.block(strings.TrimSpace(string(m.Role)+" "+m.Name), m.Text)
	}
	for _, call := range m.Calls {
		s.block("call "+call.Name, call.Args)
	}
}

func (s *spy) block(title, text string) { s.text.WriteString(block(title, text)) }

func block(title, text string) string {
	indented := strings.ReplaceAll(abbreviated(strings.TrimSuffix(text, "\n")), "\n", "\n  ")

	return title + ":\n  " + strings.ReplaceAll(indented, "\n  \n", "\n\n") + "\n"
}

// abbreviated leaves out the middle of a text that is too long for a case.
func abbreviated(text string) string {
	if len(text) < 6000 {
		return text
	}

	return fmt.Sprintf("%%s … (%%d bytes) … %%s", text[:80], len(text), text[len(text)-80:])
}

func (s *spy) Ask(q runtime.Question) (runtime.Answer, error) {
	s.block(strings.TrimSuffix("ask "+q.ID+" by "+q.Channel, " by "), q.Prompt)

	return s.Effects.Ask(q)
}

func (s *spy) Call(c runtime.FuncCall) (runtime.FuncResult, error) {
	s.block("function "+c.Name, string(c.Args))

	return s.Effects.Call(c)
}

func (s *spy) Tool(c runtime.ToolCall) (runtime.ToolResult, error) {
	if s.tells {
		s.block("tool "+c.Tool.Name, string(c.Args))
	}

	return s.Effects.Tool(c)
}

func (s *spy) Note(e event.Event) {
	s.Effects.Note(e)
	if !s.tells {
		return
	}
	switch e.Kind {
	case event.Enter:
		fmt.Fprintf(&s.text, "== state %%s of %%s\n", e.State, e.Machine)
	case event.Transition:
		fmt.Fprintf(&s.text, "-- %%s --> %%s (%%s)\n", e.Key, e.To, e.Matched)
	case event.Step:
		s.block("step "+e.Name, e.Value)
	case event.Error:
		fmt.Fprintf(&s.text, "!! %%s\n", e.Type)
	}
}

// Watched says that notes are wanted, whatever the engine says.
func (s *spy) Watched() bool { return true }

func (s *spy) Parallel(n, limit int, branch func(int, runtime.Effects) error) error {
	spies := make([]*spy, n)
	err := s.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error {
		spies[i] = newSpy(fx, s.call, s.tells)
		spies[i].shown = maps.Clone(s.shown)

		return branch(i, spies[i])
	})
	fmt.Fprintf(&s.text, "== branches: %%d, at most %%d at a time\n", n, limit)
	for _, branch := range spies {
		if branch != nil {
			s.text.WriteString(branch.text.String())
		}
	}

	return err
}

// spied returns p with a spy in front of the agent that runs; call is told of each model call, and the spy's text is given to
// told. A program with an initial context runs its own copy of that agent, which is not among p.Agents.
func spied(p *compiled.Program, call func(), told func(string)) *compiled.Program {
	workflows := slices.ContainsFunc(p.Agents, func(a compiled.Agent) bool { return a.Context != nil })
	entry := *p.Agent(p.Entry)
	run := entry.Run
	entry.Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
		s := newSpy(fx, call, workflows)
		fin, err := run(s, input)
		told(s.text.String())

		return fin, err
	}

	return p.WithAgent(&entry)
}

func played(script string) compiled.Engine { return engine.New(options(script)) }

// once runs p and returns what was told and how it ended. onCall is told of each model call.
func once(ctx context.Context, e compiled.Engine, p *compiled.Program, task string, onCall func()) (string, error) {
	var text string
	fin, err := e.Run(ctx, spied(p, onCall, func(told string) { text = told }), p.Entry, task)
	if err != nil {
		return fmt.Sprintf("%%s== error %%s\n%%s\n", text, runtime.ErrorType(err), errorText(err)), err
	}
	title := "value"
	if fin.JSON {
		title = "JSON value"
	}

	return text + "== finish " + fin.Key + "\n" + block(title, fin.Value), nil
}

func play(name string, p *compiled.Program, task, script, initial string) {
	fmt.Printf("-- %%s --\n", name)
	if initial != "" {
		with, err := p.WithContext("", json.RawMessage(initial))
		if err != nil {
			fmt.Printf("== refused\n%%v\n", err)

			return
		}
		p = with
	}
	calls := 0
	first, _ := once(context.Background(), enginetest.Permute(played(script), 1), p, task, func() { calls++ })
	fmt.Print(first)
	for seed := range int64(4) {
		if other, _ := once(context.Background(), enginetest.Permute(played(script), seed+2), p, task, func() {}); other != first {
			fmt.Printf("in another order:\n%%s", other)
		}
	}
	for k := 1; k <= calls; k++ {
		cancelled(p, task, script, k)
	}
	interrupted(name, p, task, script)
}

// cancelled cancels a run in its k-th model call and complains if it goes on or returns another cause.
func cancelled(p *compiled.Program, task, script string, k int) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	calls := 0
	_, err := once(ctx, enginetest.Permute(played(script), 1), p, task, func() {
		if calls++; calls == k {
			cancel(cause)
		}
	})
	if !errors.Is(err, cause) || calls != k {
		fmt.Printf("cancelled in call %%d: %%d calls, %%v\n", k, calls, err)
	}
}

func main() {
%s	printResumed()
}
`
