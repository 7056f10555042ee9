package emit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// machine emits one machine.
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
}

func newMachine(a *ir.Agent, m *ir.Machine) *machine {
	name := a.Name.Value
	return &machine{
		agent: a, name: name, title: name, ir: m, keys: names.Keys(m),
		stateType: names.StateType(name), keyType: names.KeyType(name), use: guardUseOf(m),
	}
}

// emit adds the machine itself, types, constants and pure functions, and the methods that run it.
func (m *machine) emit(f *jen.File) {
	m.states(f, sentence(m.stateType+" is a state of "+m.name, m.agent.Description.Value), m.role)
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
func (m *machine) states(f *jen.File, doc string, role func(*ir.State) string) {
	declare(f, doc, jen.Type().Id(m.stateType).Add(smallestUint(len(m.ir.States))))
	declare(f, "The states of "+m.title+". 0 is that of a machine that has ended.", jen.Const().DefsFunc(func(g *jen.Group) {
		for i, s := range m.ir.States {
			constant := g.Add(m.state(s))
			if i == 0 {
				constant.Id(m.stateType).Op("=").Iota().Op("+").Lit(1)
			}
			if is := role(s); is != "" {
				constant.Add(trailing(is))
			}
		}
	}))
}

// role says in a few words what a state is.
func (m *machine) role(s *ir.State) string {
	switch {
	case m.ir.External && s.Terminal():
		return "terminal"
	case m.ir.External:
		return ""
	case s.Marker():
		return "terminal marker"
	case s.Terminal():
		return "terminal, runs agent " + s.Agent.Name.Value
	}

	return "runs agent " + s.Agent.Name.Value
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

// next emits the transition function: a switch over the states, and in it one over the keys.
func (m *machine) next(f *jen.File) {
	params, args := []jen.Code{jen.Id("key").Id(m.keyType)}, []jen.Code{jen.Id("key")}
	doc := "Next returns the state after s when " + m.actor() + " key. ok is false when s has no such row."
	if len(m.keys) == 0 {
		doc = "Next returns the state after s, whatever the key. ok is false when s has no row."
	}
	if m.endsAtOnce() {
		doc += " A row that leads to ~ gives 0, true: the machine ends there."
	}
	if m.use.any {
		doc += " ok is false too when the guards of all its rows say no, and when one of them fails: g, which has to have begun, says why."
		params = append(params, jen.Id("g").Op("*").Add(in("rt.Judge")))
		args = append(args, jen.Id("g"))
	}
	m.cut(f, doc, params, args)
}

func (m *machine) actor() string {
	if m.ir.External {
		return "it is given"
	}

	return "its agent finishes with"
}

func (m *machine) nextCase(g *jen.Group, s *ir.State) {
	switch {
	case s.Guarded():
		m.guardedCase(g, s)
	case s.Always != nil:
		g.Case(m.state(s)).Block(jen.Return(m.state(s.Always.State), jen.True()))
	case len(s.Rows) == 1 && s.Rows[0].IsCatchAll():
		g.Case(m.state(s)).Block(m.take(s.Rows[0]))
	case len(s.Rows) > 0:
		g.Case(m.state(s)).Block(jen.Switch(jen.Id("key")).BlockFunc(func(g *jen.Group) {
			for _, row := range s.Rows {
				if row.IsCatchAll() {
					g.Default().Block(m.take(row))
					continue
				}
				g.Case(m.key(row.Key.Value)).Block(m.take(row))
			}
		}))
	}
}

// take returns what a row gives.
func (m *machine) take(row *ir.Row) jen.Code {
	return jen.Return(m.target(row), jen.True())
}

// target is the state after a row: 0 if the machine ends there.
func (m *machine) target(row *ir.Row) *jen.Statement {
	if row.End {
		return jen.Lit(0)
	}

	return m.state(row.To.State)
}

func (m *machine) endsAtOnce() bool {
	return slices.ContainsFunc(m.ir.Rows(), func(row *ir.Row) bool { return row.End })
}

// rejects reports whether there is a key for which a state that is no terminal has no row.
func (m *machine) rejects() bool {
	return slices.ContainsFunc(m.ir.States, func(s *ir.State) bool { return len(s.Rows) > 0 && !hasCatchAll(s) })
}

func hasCatchAll(s *ir.State) bool { return slices.ContainsFunc(s.Rows, (*ir.Row).IsCatchAll) }

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
