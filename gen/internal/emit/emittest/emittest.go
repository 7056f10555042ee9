// Package emittest makes programs for tests and benchmarks: random machines of any size, with
// agents for their states, random flows, and projects with random workflows.
package emittest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Options say what a random machine looks like. The zero value of each field but States is useful.
type Options struct {
	// Name is the machine's name; "machine" if empty.
	Name string
	// States is the number of states, two at least. The last is a terminal.
	States int
	// Rows is the number of rows of a conditional state; 3 if zero. A catch-all comes on top.
	Rows int
	// Keys are the texts of keys to choose from; Keys(8) if nil. A state has as many rows as there
	// are keys at most.
	Keys []string
	// StateName names the state with this index; state-0, state-1, … if nil.
	StateName func(i int) string
	// Agents makes a oneshot or react agent for most states, so that the machine can run; otherwise
	// it is external.
	Agents bool
	// Plain leaves out catch-alls, unconditional states, rows that end the machine, and further
	// terminals.
	Plain bool
}

// Keys returns n keys: key-0, key-1, ….
func Keys(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("key-%d", i)
	}

	return keys
}

// Machine adds a random machine, and the agents of its states, to p. The same seed gives the same
// machine. Agents are not sorted: see [Sort].
func Machine(p *ir.Program, seed uint64, o Options) *ir.Agent {
	o.Name = cmp.Or(o.Name, "machine")
	o.Rows = cmp.Or(o.Rows, 3)
	if o.Keys == nil {
		o.Keys = Keys(8)
	}
	if o.StateName == nil {
		o.StateName = func(i int) string { return fmt.Sprintf("state-%d", i) }
	}
	b := &builder{p: p, o: o, rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}

	return b.machine()
}

// Sort orders the agents of a program by name, as the front end does.
func Sort(p *ir.Program) {
	slices.SortStableFunc(p.Agents, func(a, b *ir.Agent) int { return strings.Compare(a.Name.Value, b.Name.Value) })
}

type builder struct {
	p    *ir.Program
	o    Options
	rand *rand.Rand
}

func (b *builder) chance(percent int) bool { return !b.o.Plain && b.rand.IntN(100) < percent }

func (b *builder) machine() *ir.Agent {
	m := &ir.Machine{External: !b.o.Agents, MaxSteps: 50}
	for i := range b.o.States {
		m.States = append(m.States, &ir.State{Name: text(b.o.StateName(i))})
	}
	last := len(m.States) - 1
	for i, s := range m.States {
		terminal := i == last || i > 0 && b.chance(10)
		if b.o.Agents && (!terminal || b.chance(50)) {
			s.Agent = b.agent(s.Name.Value)
		}
		if !terminal {
			b.leave(m, s)
		}
	}
	m.Initial = ref(m.States[0])

	a := &ir.Agent{Name: text(b.o.Name), File: File(b.o.Name), Description: text("A random machine."), Version: "1", Node: m}
	b.p.Agents = append(b.p.Agents, a)

	return a
}

// agent returns the agent of a state, which several machines may share.
func (b *builder) agent(name string) *ir.Agent {
	if a := b.p.AgentByName(name); a != nil {
		return a
	}

	a := &ir.Agent{Name: text(name), File: File(name), Description: text("Does its part."), Version: "1", Prompt: text("Do your part.\n")}
	a.Call.Role, a.Node = conversation(b.rand)
	b.p.Agents = append(b.p.Agents, a)

	return a
}

// conversation returns the role and the node of a conversation of either kind.
func conversation(r *rand.Rand) (ir.Text, ir.Node) {
	if r.IntN(2) == 0 {
		return text("worker"), &ir.Oneshot{Repair: 2}
	}

	return text("thinker"), &ir.React{MaxIter: 10, Repair: 2, Stuck: 4}
}

// leave gives a state its rows.
func (b *builder) leave(m *ir.Machine, s *ir.State) {
	target := func() ir.Ref { return ref(m.States[b.rand.IntN(len(m.States))]) }
	if b.chance(20) {
		to := target()
		s.Always = &to

		return
	}

	for i, k := range b.rand.Perm(len(b.o.Keys)) {
		if i == b.o.Rows {
			break
		}
		s.Rows = append(s.Rows, b.row(b.o.Keys[k], target()))
	}
	if b.chance(30) {
		s.Rows = append(s.Rows, b.row(ir.CatchAll, target()))
	}
	if b.chance(5) {
		s.Rows = s.Rows[len(s.Rows)-1:]
	}
}

func (b *builder) row(key string, to ir.Ref) *ir.Row {
	if b.chance(10) {
		return &ir.Row{Key: text(key), End: true}
	}

	return &ir.Row{Key: text(key), To: to}
}

func text(s string) ir.Text { return ir.Text{Value: s} }

// File is the source of an agent, of which nothing is read.
func File(name string) *source.File { return source.NewFile("agents/"+name+"/AGENT.md", nil) }

func ref(s *ir.State) ir.Ref { return ir.Ref{Text: s.Name, State: s} }
