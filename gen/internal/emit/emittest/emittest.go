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

// Options describe a random machine. The zero value of each field except States is useful.
type Options struct {
	// Name is the machine's name; "machine" if empty.
	Name string
	// States is the number of states, at least two. The last is a terminal.
	States int
	// Rows is the number of rows of a conditional state; 3 if zero. A catch-all is additional.
	Rows int
	// Keys are the texts of the keys; NewKeys(8) if nil. A state has at most as many rows as there
	// are keys.
	Keys []string
	// StateName names the state with this index; state-0, state-1, … if nil.
	StateName func(i int) string
	// Agents makes a oneshot or react agent for most states, so that the machine can run; otherwise
	// it is external.
	Agents bool
	// Plain omits catch-alls, unconditional states, rows that end the machine, and further
	// terminals.
	Plain bool
}

// NewKeys returns n keys: key-0, key-1, ….
func NewKeys(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("key-%d", i)
	}

	return keys
}

// AddMachine adds a random machine, and the agents of its states, to p. The same seed gives the
// same machine. Agents are not sorted: see [SortAgents].
func AddMachine(p *ir.Program, seed uint64, o Options) *ir.Agent {
	o.Name = cmp.Or(o.Name, "machine")
	o.Rows = cmp.Or(o.Rows, 3)
	if o.Keys == nil {
		o.Keys = NewKeys(8)
	}
	if o.StateName == nil {
		o.StateName = func(i int) string { return fmt.Sprintf("state-%d", i) }
	}
	b := &builder{p: p, o: o, rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}

	return b.addMachine()
}

// SortAgents sorts the agents of a program by name, as the front end does.
func SortAgents(p *ir.Program) {
	slices.SortStableFunc(p.Agents, func(a, b *ir.Agent) int { return strings.Compare(a.Name.Value, b.Name.Value) })
}

type builder struct {
	p    *ir.Program
	o    Options
	rand *rand.Rand
}

func (b *builder) isChosen(percent int) bool { return !b.o.Plain && b.rand.IntN(100) < percent }

func (b *builder) addMachine() *ir.Agent {
	m := &ir.Machine{External: !b.o.Agents, MaxSteps: 50}
	for i := range b.o.States {
		m.States = append(m.States, &ir.State{Name: newText(b.o.StateName(i))})
	}
	last := len(m.States) - 1
	for i, s := range m.States {
		terminal := i == last || i > 0 && b.isChosen(10)
		if b.o.Agents && (!terminal || b.isChosen(50)) {
			s.Agent = b.sharedAgent(s.Name.Value)
		}
		if !terminal {
			b.addRows(m, s)
		}
	}
	m.Initial = newRef(m.States[0])

	a := &ir.Agent{Name: newText(b.o.Name), File: AgentFile(b.o.Name), Description: newText("A random machine."), Version: "1", Node: m}
	b.p.Agents = append(b.p.Agents, a)

	return a
}

// sharedAgent returns the agent of a state, which several machines may share.
func (b *builder) sharedAgent(name string) *ir.Agent {
	if a := b.p.AgentByName(name); a != nil {
		return a
	}

	a := &ir.Agent{Name: newText(name), File: AgentFile(name), Description: newText("Does its part."), Version: "1", Prompt: newText("Do your part.\n")}
	a.Call.Role, a.Node = randomConversation(b.rand)
	b.p.Agents = append(b.p.Agents, a)

	return a
}

// randomConversation returns the role and the node of a conversation of either kind.
func randomConversation(r *rand.Rand) (ir.Text, ir.Node) {
	if r.IntN(2) == 0 {
		return newText("worker"), &ir.Oneshot{Repair: 2}
	}

	return newText("thinker"), &ir.React{MaxIter: 10, Repair: 2, Stuck: 4}
}

// addRows adds rows to a state.
func (b *builder) addRows(m *ir.Machine, s *ir.State) {
	target := func() ir.Ref { return newRef(m.States[b.rand.IntN(len(m.States))]) }
	if b.isChosen(20) {
		to := target()
		s.Always = &to

		return
	}

	for i, k := range b.rand.Perm(len(b.o.Keys)) {
		if i == b.o.Rows {
			break
		}
		s.Rows = append(s.Rows, b.newRow(b.o.Keys[k], target()))
	}
	if b.isChosen(30) {
		s.Rows = append(s.Rows, b.newRow(ir.CatchAll, target()))
	}
	if b.isChosen(5) {
		s.Rows = s.Rows[len(s.Rows)-1:]
	}
}

func (b *builder) newRow(key string, to ir.Ref) *ir.Row {
	if b.isChosen(10) {
		return &ir.Row{Key: newText(key), End: true}
	}

	return &ir.Row{Key: newText(key), To: to}
}

func newText(s string) ir.Text { return ir.Text{Value: s} }

// AgentFile returns an empty source of an agent.
func AgentFile(name string) *source.File { return source.NewFile("agents/"+name+"/AGENT.md", nil) }

func newRef(s *ir.State) ir.Ref { return ir.Ref{Text: s.Name, State: s} }
