package check_test

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// builder makes programs without a front end. Every text has a place of its own in one file.
type builder struct {
	text    strings.Builder
	texts   []*ir.Text
	program ir.Program
	agents  map[string]*ir.Agent
	refs    []*ir.AgentRef
}

func newBuilder() *builder { return &builder{agents: map[string]*ir.Agent{}} }

// at gives value a place; the file is set when the program is complete.
func (b *builder) at(value string, t *ir.Text) {
	t.Value = value
	t.Span.Start = b.text.Len()
	b.text.WriteString(value)
	t.Span.End = b.text.Len()
	b.text.WriteByte('\n')
	b.texts = append(b.texts, t)
}

func (b *builder) agent(name string, node ir.Node) *ir.Agent {
	a := &ir.Agent{Folder: name, Node: node}
	b.at(name, &a.Name)
	b.agents[name] = a
	b.program.Agents = append(b.program.Agents, a)

	return a
}

func (b *builder) react(name string, keys ...string) *ir.Agent {
	return b.agent(name, b.keyed(keys...))
}

// keyed makes a react loop that declares keys.
func (b *builder) keyed(keys ...string) *ir.React {
	node := &ir.React{Keys: make([]ir.Text, len(keys))}
	for i, key := range keys {
		b.at(key, &node.Keys[i])
	}

	return node
}

// flow adds a flow without a body.
func (b *builder) flow(name string) *ir.Flow {
	f := &ir.Flow{Kind: "flow"}
	b.agent(name, f)

	return f
}

// ref refers to the agent called name, which may be added later.
func (b *builder) ref(name string) *ir.AgentRef {
	ref := &ir.AgentRef{}
	b.at(name, &ref.Text)
	b.refs = append(b.refs, ref)

	return ref
}

// machine adds a machine; each state is written as `name: target`, `name: key=target key=target` or `name: ~`.
func (b *builder) machine(name string, states ...string) *ir.Machine {
	m := &ir.Machine{}
	b.agent(name, m)
	initial, _, _ := strings.Cut(states[0], ":")
	b.at(initial, &m.Initial.Text)
	for _, text := range states {
		b.state(m, text)
	}

	return m
}

func (b *builder) state(m *ir.Machine, text string) {
	name, value, _ := strings.Cut(text, ": ")
	s := &ir.State{}
	b.at(name, &s.Name)
	m.States = append(m.States, s)
	switch {
	case value == "~":
	case !strings.Contains(value, "="):
		s.Always = &ir.Ref{}
		b.at(value, &s.Always.Text)
	default:
		for _, field := range strings.Fields(value) {
			key, target, _ := strings.Cut(field, "=")
			row := &ir.Row{End: target == "~"}
			b.at(key, &row.Key)
			if !row.End {
				b.at(target, &row.To.Text)
			}
			s.Rows = append(s.Rows, row)
		}
	}
}

// build resolves what names mean and returns the program.
func (b *builder) build() *ir.Program {
	file := source.NewFile("project", []byte(b.text.String()))
	for _, t := range b.texts {
		t.Span.File = file
	}
	for _, ref := range b.refs {
		ref.Agent = b.agents[ref.Value]
	}
	for _, a := range b.program.Agents {
		a.File = file
		if m, ok := a.Node.(*ir.Machine); ok {
			b.resolve(m)
		}
	}

	return &b.program
}

func (b *builder) resolve(m *ir.Machine) {
	states := map[string]*ir.State{}
	for _, s := range m.States {
		states[s.Name.Value] = s
	}
	m.Initial.State = states[m.Initial.Value]
	for _, s := range m.States {
		s.Agent = b.agents[s.Name.Value]
		if s.Always != nil {
			s.Always.State = states[s.Always.Value]
		}
		for _, row := range s.Rows {
			row.To.State = states[row.To.Value]
		}
	}
}

func numbered(format string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(format, i)
	}

	return names
}
