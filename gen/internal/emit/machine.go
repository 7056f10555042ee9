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
	// name is the base of identifiers, title the name of the machine.
	name, title string
	ir          *ir.Machine
	// keys are the keys of the rows, each once, without the catch-all.
	keys []ir.Text
	// stateType and keyType are Go names.
	stateType, keyType string
	// use describes the guards of the rows.
	use guardUse
	// workflow has the machine as a step of the pipeline at; nil for an fsm and a gate.
	workflow *workflow
	at       *ir.Pipeline
}

func newMachine(a agent, m *ir.Machine) *machine {
	name := a.Name.Value
	return &machine{
		agent: a, name: name, title: name, ir: m, keys: names.Keys(m),
		stateType: names.StateType(name), keyType: names.KeyType(name), use: collectGuardUse(m),
	}
}

// newStepMachine returns the machine that is a step of a workflow.
func (w *workflow) newStepMachine(p *ir.Pipeline, t *ir.Task, do *ir.Machine) *machine {
	name := names.Machine(w.name, p, t.Name.Value)

	return &machine{agent: w.agent, name: name, title: t.Name.Value, ir: do, stateType: names.StateType(name), workflow: w, at: p}
}

// emitMachine adds the machine of an agent: types, constants and pure functions, and the method
// that runs it.
func (m *machine) emitMachine(f *jen.File) {
	m.emitStates(f)
	m.emitKeyConstants(f)
	m.emitNext(f)
	m.emitCanonicalKey(f)
	m.emitKeys(f)
	m.emitTerminal(f)
	m.emitStateValues(f)
	if !m.ir.External {
		m.emitRun(f)
	}
}

// stateConstant returns the constant of a state.
func (m *machine) stateConstant(s *ir.State) *jen.Statement {
	return jen.Id(names.State(m.name, s.Name.Value))
}

// keyConstant returns the constant of a key.
func (m *machine) keyConstant(text string) *jen.Statement { return jen.Id(names.Key(m.name, text)) }

// emitStates emits the type of the states, and its constants, each with a comment.
func (m *machine) emitStates(f *jen.File) {
	doc := m.stateType + " is a state of the machine " + m.title + "."
	if m.workflow == nil {
		doc = joinSentence(m.stateType+" is a state of "+m.name, m.agent.Description.Value)
	}
	emitDeclaration(f, doc, jen.Type().Id(m.stateType).Add(smallestUint(len(m.ir.States))))
	emitDeclaration(f, "The states of "+m.title+". 0 is the state of a machine that has ended.", jen.Const().DefsFunc(func(g *jen.Group) {
		for i, s := range m.ir.States {
			constant := g.Add(m.stateConstant(s))
			if i == 0 {
				constant.Id(m.stateType).Op("=").Iota().Op("+").Lit(1)
			}
			if is := m.describeRole(s); is != "" {
				constant.Add(trailingComment(is))
			}
		}
	}))
}

// describeRole returns a short description of a state; "" if its name is enough.
func (m *machine) describeRole(s *ir.State) string {
	switch runs := s.Agent != nil; {
	case s.Fails:
		return "end state, a failure"
	case s.End:
		return "end state"
	case m.ir.External && s.IsTerminal():
		return "terminal"
	case s.IsMarker():
		return "terminal marker"
	case runs && s.IsTerminal():
		return "terminal, runs agent " + s.Agent.Name.Value
	case runs:
		return "runs agent " + s.Agent.Name.Value
	}

	return ""
}

// smallestUint returns the smallest unsigned type with the values 0 to n.
func smallestUint(n int) *jen.Statement {
	switch {
	case n < 1<<8:
		return jen.Uint8()
	case n < 1<<16:
		return jen.Uint16()
	}

	return jen.Uint32()
}

func (m *machine) emitKeyConstants(f *jen.File) {
	doc := m.keyType + " is a key on which " + m.name + " routes."
	if len(m.keys) == 0 {
		doc = m.keyType + " is a key of " + m.name + ". Its rows match every key."
	}
	emitDeclaration(f, doc, jen.Type().Id(m.keyType).String())
	if len(m.keys) == 0 {
		return
	}
	emitDeclaration(f, "The keys of "+m.name+"'s rows.", jen.Const().DefsFunc(func(g *jen.Group) {
		for _, key := range m.keys {
			g.Add(m.keyConstant(key.Value)).Id(m.keyType).Op("=").Lit(key.Value)
		}
	}))
}

// emitTerminal emits Terminal: a comparison with each terminal, or a switch if there are many.
func (m *machine) emitTerminal(f *jen.File) {
	ends := ir.Where(m.ir.States, (*ir.State).IsTerminal)
	emitDeclaration(f, "Terminal reports whether the machine ends in s, or has ended if s is 0.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("Terminal").Params().Bool().BlockFunc(func(g *jen.Group) {
			if len(ends) > 1 {
				g.Switch(jen.Id("s")).Block(m.statesCase(ends, jen.Return(jen.True())))
				g.Line()
			}
			ended := jen.Id("s").Op("==").Lit(0)
			if len(ends) == 1 {
				ended.Op("||").Id("s").Op("==").Add(m.stateConstant(ends[0]))
			}
			g.Return(ended)
		}))
}

// emitRowlessStates emits the method Rowless, if some of the states with steps have rows and others
// have not.
func (m *machine) emitRowlessStates(f *jen.File) {
	states, all := m.rowlessStates()
	if len(states) == 0 || all {
		return
	}
	emitDeclaration(f, "Rowless reports whether no row leads from s, so that the machine ends there unless a step sets next_state.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("Rowless").Params().Bool().BlockFunc(func(g *jen.Group) {
			if len(states) == 1 {
				g.Return(jen.Id("s").Op("==").Add(m.stateConstant(states[0])))
				return
			}
			g.Switch(jen.Id("s")).Block(m.statesCase(states, jen.Return(jen.True())))
			g.Line()
			g.Return(jen.False())
		}))
}

// statesCase returns the case of several states.
func (m *machine) statesCase(states []*ir.State, body ...jen.Code) jen.Code {
	items := ir.Map(states, func(s *ir.State) string { return names.State(m.name, s.Name.Value) })

	return jen.Case(wrapItems(items)).Block(body...)
}

// listWidth is the largest length in bytes of the items of a list on one line.
const listWidth = 96

// wrapItems returns items with commas, as many on a line as fit there.
func wrapItems(items []string) *jen.Statement {
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

// quoteTexts returns the literals of texts.
func quoteTexts(texts []string) []string {
	return ir.Map(texts, strconv.Quote)
}

// emitStateTexts emits the names of the states, String and its reverse, MarshalText and
// UnmarshalText. The names are data, not a switch: the Go compiler needs more than linear time for
// functions with thousands of cases.
func (m *machine) emitStateTexts(f *jen.File) {
	list, index := names.StateNames(m.name), names.StateIndex(m.name)
	lines := ir.Map(m.ir.States, func(s *ir.State) jen.Code { return m.stateConstant(s).Op(":").Lit(s.Name.Value) })
	emitVar(f, list, "are the names of the states in the source", inRuntime("rt.StateNames").Types(jen.Id(m.stateType)).Custom(block, lines...))
	emitVar(f, index, "finds the states by their names",
		inRuntime("rt.StateIndex").Types(jen.Id(m.stateType)).Values(jen.Id("Machine").Op(":").Lit(m.title), jen.Id("Names").Op(":").Id(list)))

	emitDeclaration(f, `String returns the name of s in the source, or "" if s is 0, the state of a machine that has ended.`,
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("String").Params().String().Block(
			jen.If(jen.Int().Call(jen.Id("s")).Op("<").Len(jen.Id(list))).Block(jen.Return(jen.Id(list).Index(jen.Id("s")))),
			jen.Line(),
			jen.Return(jen.Lit(m.stateType+"(").Op("+").Qual("strconv", "Itoa").Call(jen.Int().Call(jen.Id("s"))).Op("+").Lit(")"))))
	parse := names.ParseState(m.name)
	emitDeclaration(f, parse+" returns the state called text. An unknown name is a *rt.UnknownNameError.",
		jen.Func().Id(parse).Params(jen.Id("text").String()).Params(jen.Id(m.stateType), jen.Error()).Block(
			jen.Return(jen.Id(index).Dot("Parse").Call(jen.Id("text")))))

	emitDeclaration(f, `MarshalText returns the name of s, or "" if s is 0. A number without a state is a *rt.InvalidStateError.`,
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("MarshalText").Params().Params(jen.Index().Byte(), jen.Error()).Block(
			jen.Return(jen.Id(list).Dot("Marshal").Call(jen.Id("s"), jen.Lit(m.title)))))

	emitDeclaration(f, "UnmarshalText is the reverse of MarshalText. An unknown name is a *rt.UnknownNameError.",
		jen.Func().Params(jen.Id("s").Op("*").Id(m.stateType)).Id("UnmarshalText").Params(jen.Id("text").Index().Byte()).
			Error().Block(
			jen.Return(jen.Id(index).Dot("Unmarshal").Call(jen.Id("s"), jen.Id("text")))))
}

// emitCanonicalKey emits CanonicalKey.
func (m *machine) emitCanonicalKey(f *jen.File) {
	emitDeclaration(f, "CanonicalKey returns the key of the row in s that matches answer, and how it matches: exactly, or after both "+
		"are trimmed and lower-cased, or because the row is for every key. If no row has the key, it returns answer unchanged.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("CanonicalKey").Params(jen.Id("answer").String()).
			Params(jen.Id(m.keyType), inRuntime("rt.Match")).BlockFunc(func(g *jen.Group) {
			rest := m.addRestMatch(g)
			if len(m.keys) == 0 {
				g.Return(jen.Id(m.keyType).Call(jen.Id("answer")), rest)
				return
			}
			g.Return(m.keyListsMethod("Match").Call(jen.Id("s"), jen.Id("answer"), rest))
		}))
}

// keyListsMethod returns a method of the keys of the rows by state.
func (m *machine) keyListsMethod(method string) *jen.Statement {
	return jen.Id(names.KeyLists(m.name)).Dot(method)
}

// addRestMatch returns how an answer that is not a key is matched: by the catch-all row of its
// state, if there is one.
func (m *machine) addRestMatch(g *jen.Group) *jen.Statement {
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
	g.Var().Id("rest").Add(inRuntime("rt.Match"))
	g.Switch(jen.Id("s")).BlockFunc(func(g *jen.Group) {
		if len(catchAll) > 0 {
			g.Add(m.statesCase(catchAll, jen.Id("rest").Op("=").Add(inRuntime("rt.MatchCatchAll"))))
		}
		if len(always) > 0 {
			g.Add(m.statesCase(always, jen.Id("rest").Op("=").Add(inRuntime("rt.MatchUnconditional"))))
		}
	})
	g.Line()

	return jen.Id("rest")
}

// emitKeys emits Keys, and its list. The keys are data, like the names of the states, so that Go
// compiles many of them quickly.
func (m *machine) emitKeys(f *jen.File) {
	if len(m.keys) == 0 {
		return
	}
	var lines []jen.Code
	for _, s := range m.ir.States {
		if keys := s.Keys(); len(keys) > 0 {
			for i, key := range keys {
				keys[i] = names.Key(m.name, key)
			}
			lines = append(lines, m.stateConstant(s).Op(":").Values(wrapItems(keys)))
		}
	}
	emitVar(f, names.KeyLists(m.name), "are the keys of the rows by state",
		inRuntime("rt.KeyLists").Types(jen.Id(m.stateType), jen.Id(m.keyType)).Custom(block, lines...))
	emitDeclaration(f, "Keys returns the keys of the rows in s in the order of the source, without the catch-all.",
		jen.Func().Params(jen.Id("s").Id(m.stateType)).Id("Keys").Params().Index().Id(m.keyType).Block(
			jen.Return(m.keyListsMethod("Keys").Call(jen.Id("s")))))
}
