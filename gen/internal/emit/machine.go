package emit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// machine emits one machine: an fsm, a gate, or a step of a workflow.
type machine struct {
	agent *ir.Agent
	// name is what identifiers are made from, title what the machine is called.
	name, title string
	ir          *ir.Machine
	// keys are the texts of the rows, each once, without the catch-all.
	keys []ir.Text
	// stateType and keyType are Go names.
	stateType, keyType string
	// use is what the guards of the rows ask for.
	use guardUse
	// workflow has the machine as a step of the pipeline at; nil for an fsm and a gate.
	workflow *workflow
	at       *ir.Pipeline
}

func newMachine(a *ir.Agent, m *ir.Machine) *machine {
	name := a.Name.Value
	return &machine{
		agent: a, name: name, title: name, ir: m, keys: names.Keys(m),
		stateType: names.StateType(name), keyType: names.KeyType(name), use: guardUseOf(m),
	}
}

// stepMachine returns the machine that is a step of a workflow.
func (w *workflow) stepMachine(p *ir.Pipeline, t *ir.Task, do *ir.Machine) *machine {
	name := names.Machine(w.name, p, t.Name.Value)

	return &machine{agent: w.agent, name: name, title: t.Name.Value, ir: do, stateType: names.StateType(name), workflow: w, at: p}
}

// emit adds the machine of an agent: types, constants and pure functions, and the method that runs it.
func (m *machine) emit(f *jen.File) {
	m.states(f)
	m.keyConstants(f)
	m.next(f)
	m.canonicalKey(f)
	m.keysOf(f)
	m.terminal(f)
	m.stateTexts(f)
	if !m.ir.External {
		m.run(f)
	}
}

// state returns the constant of a state.
func (m *machine) state(s *ir.State) *jen.Statement { return jen.Id(names.State(m.name, s.Name.Value)) }

// key returns the constant of a key.
func (m *machine) key(text string) *jen.Statement { return jen.Id(names.Key(m.name, text)) }

// states emits the type of the states, and its constants, each with what it is.
func (m *machine) states(f *jen.File) {
	doc := m.stateType + " is a state of the machine " + m.title + "."
	if m.workflow == nil {
		doc = sentence(m.stateType+" is a state of "+m.name, m.agent.Description.Value)
	}
	declare(f, doc, jen.Type().Id(m.stateType).Add(smallestUint(len(m.ir.States))))
	declare(f, "The states of "+m.title+". 0 is that of a machine that has ended.", jen.Const().DefsFunc(func(g *jen.Group) {
		for i, s := range m.ir.States {
			constant := g.Add(m.state(s))
			if i == 0 {
				constant.Id(m.stateType).Op("=").Iota().Op("+").Lit(1)
			}
			if is := m.role(s); is != "" {
				constant.Add(trailing(is))
			}
		}
	}))
}

// role says in a few words what a state is; "" where its name says it.
func (m *machine) role(s *ir.State) string {
	switch runs := s.Agent != nil; {
	case s.End:
		return "end state"
	case m.ir.External && s.Terminal():
		return "terminal"
	case s.Marker():
		return "terminal marker"
	case runs && s.Terminal():
		return "terminal, runs agent " + s.Agent.Name.Value
	case runs:
		return "runs agent " + s.Agent.Name.Value
	}

	return ""
}

// smallestUint returns the smallest unsigned type that holds 0 to n.
func smallestUint(n int) *jen.Statement {
	switch {
	case n < 1<<8:
		return jen.Uint8()
	case n < 1<<16:
		return jen.Uint16()
	}

	return jen.Uint32()
}

func (m *machine) keyConstants(f *jen.File) {
	declare(f, m.keyType+" is a key on which "+m.name+" routes.", jen.Type().Id(m.keyType).String())
	if len(m.keys) == 0 {
		return
	}
	declare(f, "The keys of "+m.name+"'s rows.", jen.Const().DefsFunc(func(g *jen.Group) {
		for _, key := range m.keys {
			g.Add(m.key(key.Value)).Id(m.keyType).Op("=").Lit(key.Value)
		}
	}))
}

// terminal emits Terminal: a comparison with each terminal, or a switch if they are many.
func (m *machine) terminal(f *jen.File) {
	ends := slices.DeleteFunc(slices.Clone(m.ir.States), func(s *ir.State) bool { return !s.Terminal() })
	declare(f, "Terminal reports whether the machine ends in s. It has ended in 0.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("Terminal").Params().Bool().BlockFunc(func(g *jen.Group) {
			if len(ends) > 1 {
				g.Switch(jen.Id("s")).Block(m.caseOf(ends, jen.Return(jen.True())))
				g.Line()
			}
			ended := jen.Id("s").Op("==").Lit(0)
			if len(ends) == 1 {
				ended.Op("||").Id("s").Op("==").Add(m.state(ends[0]))
			}
			g.Return(ended)
		}))
}

// caseOf returns the case of several states.
func (m *machine) caseOf(states []*ir.State, body ...jen.Code) jen.Code {
	items := make([]string, len(states))
	for i, s := range states {
		items[i] = names.State(m.name, s.Name.Value)
	}

	return jen.Case(list(items)).Block(body...)
}

// listWidth is the length in bytes up to which the items of a list stand on one line.
const listWidth = 96

// list returns items with commas, as many on a line as fit there.
func list(items []string) *jen.Statement {
	longest := 0
	for _, item := range items {
		longest = max(longest, len(item)+len(", "))
	}
	var lines []string
	for line := range slices.Chunk(items, max(1, listWidth/max(1, longest))) {
		lines = append(lines, strings.Join(line, ", "))
	}

	return jen.Op(strings.Join(lines, ",\n"))
}

// literals returns the literals of texts.
func literals(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = strconv.Quote(s)
	}

	return quoted
}
