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
	agent agent
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

func newMachine(a agent, m *ir.Machine) *machine {
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

// emit adds the machine of an agent: types, constants and pure functions, and the method that runs
// it.
func (m *machine) emit(f *jen.File) {
	m.states(f)
	m.keyConstants(f)
	m.next(f)
	m.canonicalKey(f)
	m.keysOf(f)
	m.terminal(f)
	m.stateValues(f)
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
	doc := m.keyType + " is a key on which " + m.name + " routes."
	if len(m.keys) == 0 {
		doc = m.keyType + " is a key in " + m.name + ", whose rows are for every key."
	}
	declare(f, doc, jen.Type().Id(m.keyType).String())
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
	ends := ir.Where(m.ir.States, (*ir.State).Terminal)
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

// rowlessStates emits the method Rowless, where some of the states with steps have rows and others
// have none.
func (m *machine) rowlessStates(f *jen.File) {
	states, all := m.rowless()
	if len(states) == 0 || all {
		return
	}
	declare(f, "Rowless reports whether no row leads from s, so that the machine ends there unless a step sets next_state.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("Rowless").Params().Bool().BlockFunc(func(g *jen.Group) {
			if len(states) == 1 {
				g.Return(jen.Id("s").Op("==").Add(m.state(states[0])))
				return
			}
			g.Switch(jen.Id("s")).Block(m.caseOf(states, jen.Return(jen.True())))
			g.Line()
			g.Return(jen.False())
		}))
}

// caseOf returns the case of several states.
func (m *machine) caseOf(states []*ir.State, body ...jen.Code) jen.Code {
	items := ir.Map(states, func(s *ir.State) string { return names.State(m.name, s.Name.Value) })

	return jen.Case(list(items)).Block(body...)
}

// listWidth is the length in bytes up to which the items of a list are on one line.
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
	return ir.Map(texts, strconv.Quote)
}

// stateTexts emits the names of the states, String and its reverse, MarshalText and UnmarshalText.
// The names are data, not a switch: the compiler of Go needs more than linear time for functions of
// thousands of cases.
func (m *machine) stateTexts(f *jen.File) {
	list := names.StateNames(m.name)
	lines := ir.Map(m.ir.States, func(s *ir.State) jen.Code { return m.state(s).Op(":").Lit(s.Name.Value) })
	declareVar(f, list, "are the names of the states in the source", in("rt.StateNames").Types(jen.Id(m.stateType)).Custom(block, lines...))

	declare(f, `String returns the name of s in the source; "" for 0, the state of a machine that has ended.`,
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("String").Params().String().Block(
			jen.If(jen.Int().Call(jen.Id("s")).Op("<").Len(jen.Id(list))).Block(jen.Return(jen.Id(list).Index(jen.Id("s")))),
			jen.Line(),
			jen.Return(jen.Lit(m.stateType+"(").Op("+").Qual("strconv", "Itoa").Call(jen.Int().Call(jen.Id("s"))).Op("+").Lit(")"))))
	parse := names.ParseState(m.name)
	declare(f, parse+" returns the state called text. A name that no state has is a *rt.UnknownNameError.",
		jen.Func().Id(parse).Params(jen.Id("text").String()).Params(jen.Id(m.stateType), jen.Error()).Block(
			jen.Return(jen.Id(list).Dot("Parse").Call(jen.Lit(m.title), jen.Id("text")))))

	declare(f, `MarshalText returns the name of s; "" for 0. A value that is not a state is a *rt.InvalidStateError.`,
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("MarshalText").Params().Params(jen.Index().Byte(), jen.Error()).Block(
			jen.Return(jen.Id(list).Dot("Marshal").Call(jen.Id("s"), jen.Lit(m.title)))))

	declare(f, "UnmarshalText is the reverse of MarshalText. A name that no state has is a *rt.UnknownNameError.",
		jen.Func().Params(jen.Id("s").Op("*").Id(m.stateType)).Id("UnmarshalText").Params(jen.Id("text").Index().Byte()).
			Error().Block(
			jen.Return(jen.Id(list).Dot("Unmarshal").Call(jen.Id("s"), jen.Lit(m.title), jen.Id("text")))))
}

// canonicalKey emits CanonicalKey.
func (m *machine) canonicalKey(f *jen.File) {
	declare(f, "CanonicalKey returns the key of the row in s that answer means, and how it was found: the exact row, else "+
		"the one that is equal when both are trimmed and lower-cased, else the row for every key. An answer that has no row "+
		"of its own is returned as it is.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("CanonicalKey").Params(jen.Id("answer").String()).
			Params(jen.Id(m.keyType), in("rt.Match")).BlockFunc(func(g *jen.Group) {
			rest := m.rest(g)
			if len(m.keys) == 0 {
				g.Return(jen.Id(m.keyType).Call(jen.Id("answer")), rest)
				return
			}
			g.Return(m.keyLists("Match").Call(jen.Id("s"), jen.Id("answer"), rest))
		}))
}

// keyLists is a method of the keys of the rows by state.
func (m *machine) keyLists(method string) *jen.Statement {
	return jen.Id(names.KeyLists(m.name)).Dot(method)
}

// rest returns how an answer is found that no key means: by the row for every key of its state, if
// that has one.
func (m *machine) rest(g *jen.Group) *jen.Statement {
	var always, catchAll []*ir.State
	for _, s := range m.ir.States {
		switch {
		case s.Always != nil:
			always = append(always, s)
		case hasCatchAll(s):
			catchAll = append(catchAll, s)
		}
	}
	if len(always)+len(catchAll) == 0 {
		return jen.Lit("")
	}
	g.Var().Id("rest").Add(in("rt.Match"))
	g.Switch(jen.Id("s")).BlockFunc(func(g *jen.Group) {
		if len(catchAll) > 0 {
			g.Add(m.caseOf(catchAll, jen.Id("rest").Op("=").Add(in("rt.MatchCatchAll"))))
		}
		if len(always) > 0 {
			g.Add(m.caseOf(always, jen.Id("rest").Op("=").Add(in("rt.MatchUnconditional"))))
		}
	})
	g.Line()

	return jen.Id("rest")
}

// keysOf emits Keys, and the list behind it. The keys are data, as the names of the states are, so
// that Go compiles very many quickly.
func (m *machine) keysOf(f *jen.File) {
	if len(m.keys) == 0 {
		return
	}
	var lines []jen.Code
	for _, s := range m.ir.States {
		if keys := s.Keys(); len(keys) > 0 {
			for i, key := range keys {
				keys[i] = names.Key(m.name, key)
			}
			lines = append(lines, m.state(s).Op(":").Values(list(keys)))
		}
	}
	declareVar(f, names.KeyLists(m.name), "are the keys of the rows by state",
		in("rt.KeyLists").Types(jen.Id(m.stateType), jen.Id(m.keyType)).Custom(block, lines...))
	declare(f, "Keys returns the keys of the rows in s in the order of the source, without the catch-all.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("Keys").Params().Index().Id(m.keyType).Block(
			jen.Return(m.keyLists("Keys").Call(jen.Id("s")))))
}
