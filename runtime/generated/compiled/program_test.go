package compiled_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// TestWithContext: the program that it returns starts the workflow with the context, and p is as it was.
func TestWithContext(t *testing.T) {
	unfit := errors.New("does not fit")
	p := &compiled.Program{Entry: "flow", Agents: []compiled.Agent{
		{Name: "agent"},
		{
			Name: "flow",
			Run:  func(runtime.Effects, string) (runtime.Finish, error) { return runtime.Finish{Value: "none"}, nil },
			Context: &compiled.Context{
				Check: func(context json.RawMessage) error {
					if string(context) == "{}" {
						return nil
					}

					return unfit
				},
				Run: func(_ runtime.Effects, input string, context json.RawMessage) (runtime.Finish, error) {
					return runtime.Finish{Value: input + string(context)}, nil
				},
			},
		},
	}}
	with, err := p.WithContext("", json.RawMessage("{}"))
	if err != nil {
		t.Fatal(err)
	}
	keep := func(fx runtime.Effects) runtime.Effects { return fx }
	for name, with := range map[string]*compiled.Program{"with the context": with, "and middleware": with.Through(keep)} {
		if fin, _ := with.Agent("flow").Run(nil, "task"); fin.Value != "task{}" || string(with.Agent("flow").Initial) != "{}" {
			t.Errorf("%s: %+v", name, fin)
		}
	}
	if fin, _ := p.Agent("flow").Run(nil, "task"); fin.Value != "none" {
		t.Errorf("the program itself: %+v", fin)
	}

	var wrong *compiled.ContextError
	if _, err := p.WithContext("flow", json.RawMessage("[]")); !errors.As(err, &wrong) || !errors.Is(err, unfit) {
		t.Errorf("a context that does not fit: %v", err)
	}
	if _, err := p.WithContext("agent", nil); !errors.As(err, &wrong) || wrong.Agent != "agent" {
		t.Errorf("an agent without context: %v", err)
	}
	var unknown *compiled.UnknownAgentError
	if _, err := p.WithContext("other", nil); !errors.As(err, &unknown) || len(unknown.Agents) != 2 {
		t.Errorf("no such agent: %v", err)
	}
}

// TestAgent: agents are found by their names, also in a program that is not sorted.
func TestAgent(t *testing.T) {
	for _, names := range [][]string{nil, {"a"}, {"a", "b", "c"}, {"c", "b", "a"}} {
		p := &compiled.Program{}
		for _, name := range names {
			p.Agents = append(p.Agents, compiled.Agent{Name: name})
		}
		for i, name := range names {
			if got := p.Agent(name); got != &p.Agents[i] {
				t.Errorf("agent %q of %q is %+v", name, names, got)
			}
		}
		for _, name := range []string{"", "aa", "d"} {
			if got := p.Agent(name); got != nil {
				t.Errorf("agent %q of %q is %+v", name, names, got)
			}
		}
	}
}

// TestReached: each agent that an agent runs is reached once, through others too, also when it was found before.
func TestReached(t *testing.T) {
	agents := []compiled.Agent{
		{Name: "alone"},
		{Name: "both", Contains: []string{"alone", "loop"}},
		{Name: "loop", Contains: []string{"both", "gone"}, Context: &compiled.Context{Check: func(json.RawMessage) error { return nil }}},
	}
	var d compiled.Description
	described := d.Program(func() *compiled.Program { return &compiled.Program{Agents: agents} })
	withContext, err := described.WithContext("loop", json.RawMessage("{}"))
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*compiled.Program{"by hand": {Agents: agents}, "described": described, "with a context": withContext} {
		for _, c := range []struct{ from, want string }{
			{"alone", "alone"}, {"both", "both alone loop"}, {"loop", "loop both alone"}, {"loop", "loop both alone"}, {"alone both", "alone both loop"},
		} {
			var entries []*compiled.Agent
			for _, from := range strings.Fields(c.from) {
				entries = append(entries, p.Agent(from))
			}
			var got []string
			for _, agent := range p.Reached(entries...) {
				got = append(got, agent.Name)
			}
			if all := p.Reached(entries...); all[0] != entries[0] {
				t.Errorf("%s: %s reaches another %s", name, c.from, all[0].Name)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s: %s reaches %q, want %s", name, c.from, got, c.want)
			}
		}
	}
}

// TestDescription: a package is described once, with its hash.
func TestDescription(t *testing.T) {
	var d compiled.Description
	described := 0
	describe := func() *compiled.Program {
		described++

		return &compiled.Program{Text: "t", Agents: []compiled.Agent{{Text: "u"}}}
	}
	want := describe().TextHash()
	if p := d.Program(describe); p != d.Program(describe) || described != 2 || p.TextHash() != want {
		t.Errorf("it is described %d times: %+v", described, p)
	}
	if allocs := testing.AllocsPerRun(10, func() { _ = d.Program(describe).TextHash() }); allocs != 0 {
		t.Errorf("a description allocates %v times", allocs)
	}
}

// TestDescriptionOfCopies: a copy of a described program with another text, or with other agents, has another hash, and
// reaches other agents. One through middleware has the same.
func TestDescriptionOfCopies(t *testing.T) {
	var d compiled.Description
	p := d.Program(func() *compiled.Program {
		return &compiled.Program{Text: "t", Agents: []compiled.Agent{{Name: "a", Text: "u", Contains: []string{"b"}}, {Name: "b"}}}
	})
	through := p.Through(func(fx runtime.Effects) runtime.Effects { return fx })
	if through.TextHash() != p.TextHash() {
		t.Error("middleware changes the hash")
	}
	if n := len(p.Reached(&p.Agents[0])); n != 2 {
		t.Errorf("%d agents are reached, want 2", n)
	}
	for name, change := range map[string]func(*compiled.Program){
		"another text": func(p *compiled.Program) { p.Text = "v" },
		"other agents": func(p *compiled.Program) { p.Agents = []compiled.Agent{{Name: "a"}, {Name: "b"}} },
		"fewer agents": func(p *compiled.Program) { p.Agents = p.Agents[1:] },
	} {
		for _, of := range []*compiled.Program{p, through} {
			changed := *of
			change(&changed)
			if changed.TextHash() == p.TextHash() {
				t.Errorf("%s: the hash is that of the program itself", name)
			}
		}
	}
	others := *p
	others.Agents = []compiled.Agent{{Name: "a"}, {Name: "b"}}
	if n := len(others.Reached(&others.Agents[0])); n != 1 {
		t.Errorf("%d other agents are reached, want 1", n)
	}
}

// TestTextHashOfManyAgents: the hash, which each run has, takes memory once, however many agents there are.
func TestTextHashOfManyAgents(t *testing.T) {
	p := &compiled.Program{Text: "t", Agents: make([]compiled.Agent, 1000)}
	for i := range p.Agents {
		p.Agents[i].Text = "0123456789abcdef0123456789abcdef"
	}
	if n := testing.AllocsPerRun(10, func() { _ = p.TextHash() }); n > 4 {
		t.Errorf("it takes memory %g times", n)
	}
}
