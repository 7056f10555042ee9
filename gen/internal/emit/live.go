package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// livePath is the import path of the package that live machines link against.
const livePath = linkedPath + "/live"

// inLive returns the qualified name of something in package live.
func inLive(name string) *jen.Statement { return jen.Qual(livePath, name) }

// emitLive emits the live machine: its type, its constructor, and its specification. Package live
// implements its behaviour.
func (m *machine) emitLive(f *jen.File) {
	name := names.LiveMachine(m.name)
	emitDeclaration(f, name+" is a live "+m.name+": a state that other code moves along the rows of its machine. "+
		"It is safe for concurrent use and runs no agents. It has the methods of live.Machine.",
		jen.Type().Id(name).Struct(m.liveType("Machine")))
	m.emitLiveMaker(f)
	m.emitLiveSpec(f)
}

// liveType returns a generic type of package live for the states and keys of the machine.
func (m *machine) liveType(name string) *jen.Statement {
	return inLive(name).Types(jen.Id(m.stateType), jen.Id(m.keyType))
}

// emitLiveMaker emits the constructor of a live machine.
func (m *machine) emitLiveMaker(f *jen.File) {
	name, made := names.NewLive(m.name), names.LiveMachine(m.name)
	f.Add(newComment(name + " returns a live " + m.name + " in its initial state, " + m.ir.Initial.Value + "."))
	var params []jen.Code
	guards := jen.Nil()
	if m.use.named {
		params = append(params, jen.Id("guards").Id(m.agent.fixed.Guards))
		guards = jen.Id(names.NamedGuards).Call(jen.Id("guards"))
	}
	f.Func().Id(name).Params(params...).Op("*").Id(made).Block(
		jen.Id("m").Op(":=").Op("&").Id(made).Values(),
		inLive("Start").Call(jen.Op("&").Id("m").Dot("Machine"), jen.Op("&").Id(names.LiveSpec(m.name)), guards),
		jen.Line(),
		jen.Return(jen.Id("m")),
	)
	f.Line()
}

// emitLiveSpec emits the variable with the common specification of live machines of the kind.
func (m *machine) emitLiveSpec(f *jen.File) {
	decides := newFields("Next", m.stateMethod("Next"))
	if m.use.any {
		decides = newFields("Guarded", m.stateMethod("Next"), "States", len(m.ir.States), "Values", m.use.steps)
	}
	table := slices.Concat(
		newFields("Name", m.name, "Shape", MachineShape(m.ir), "Initial", m.stateConstant(m.ir.Initial.State), "Plain", m.isPlain()),
		decides,
		newFields("Canonical", m.stateMethod("CanonicalKey"), "Keys", codeIf(len(m.keys) > 0, m.stateMethod("Keys")),
			"Parse", jen.Id(names.ParseState(m.name)), "Ends", m.isEmptyRun()),
		m.liveSettings())

	emitVar(f, names.LiveSpec(m.name), "defines the live machines of "+m.name, m.liveType("Spec").Add(table.onLines()))
}

// MachineShape returns a hash of a machine, by which snapshots identify it.
func MachineShape(m *ir.Machine) string {
	d := newDigest()
	d.addMachine(m)

	return d.sum()
}

// stateMethod returns a method of the states as a function.
func (m *machine) stateMethod(method string) *jen.Statement { return jen.Id(m.stateType).Dot(method) }

// isPlain reports whether Next alone decides.
func (m *machine) isPlain() bool {
	for _, s := range m.ir.States {
		if s.Always != nil || hasCatchAll(s) {
			return false
		}
	}

	return len(m.ir.Live.Access) == 0 && len(m.ir.Live.Timers) == 0 && !m.use.any
}

// liveSettings returns the settings of a live machine other than its table.
func (m *machine) liveSettings() fields {
	live := &m.ir.Live
	state := jen.Id(m.stateType)
	enter, exit := m.nameLists(live.OnEnter), m.nameLists(live.OnExit)

	return newFields(
		"Access", structList(inLive("Access").Types(state), ir.Map(live.Access, m.accessRule)),
		"Enter", mapLiteral(state, jen.Index().String(), enter),
		"Exit", mapLiteral(state, jen.Index().String(), exit),
		"Timers", mapLiteral(state, inLive("Timer").Types(jen.Id(m.keyType)), m.timersCode()),
		"Signals", structList(inRuntime("signals.Rule"), signalRulesCode(live.Signals, false)),
		"Renames", mapLiteral(jen.String(), state, ir.Map(live.Renames, func(r *ir.Rename) jen.Code {
			return jen.Lit(r.From.Value).Op(":").Add(m.stateConstant(r.To.State))
		})))
}

// accessRule returns a rule about who may fire which key.
func (m *machine) accessRule(rule *ir.AccessRule) jen.Code {
	states := ir.Map(rule.States, func(ref ir.Ref) string { return names.State(m.name, ref.State.Name.Value) })
	keys := ir.Map(rule.Keys, func(key ir.Text) string { return ir.FoldKey(key.Value) })
	in := jen.Index().Id(m.stateType).Values(wrapItems(states))

	return newFields("Agent", rule.Agent, "Deny", rule.Deny, "States", codeIf(len(states) > 0, in), "Keys", keys).onOneLine()
}

func (m *machine) nameLists(list []*ir.StateNames) []jen.Code {
	return ir.Map(list, func(n *ir.StateNames) jen.Code {
		return jen.Add(m.stateConstant(n.State.State)).Op(":").Values(ir.Map(n.Names, func(name ir.Text) jen.Code { return jen.Lit(name.Value) })...)
	})
}

func (m *machine) timersCode() []jen.Code {
	return ir.Map(m.ir.Live.Timers, func(t *ir.Timer) jen.Code {
		timer := newFields("After", t.After, "Fire", m.keyOrText(t.Fire.Value)).onOneLine()

		return jen.Add(m.stateConstant(t.State.State)).Op(":").Add(timer)
	})
}

// keyOrText returns the constant of a key, or the text of a key that only catch-all rows take.
func (m *machine) keyOrText(text string) *jen.Statement {
	if slices.Contains(ir.Values(m.keys), text) {
		return m.keyConstant(text)
	}

	return jen.Lit(text)
}

// signalRulesCode returns the rules for signals; typed is set if each has to name its type.
func signalRulesCode(rules []*ir.SignalRule, typed bool) []jen.Code {
	return ir.Map(rules, func(rule *ir.SignalRule) jen.Code {
		key := codeIf(rule.Do == ir.AnswerFire, jen.Lit(rule.Fire.Value))
		states := ir.Map(rule.In, func(ref ir.Ref) string { return ref.State.Name.Value })
		values := newFields("On", rule.On, "In", states, "Do", inRuntime("signals."+names.Exported(rule.Do.String())), "Key", key, "Priority", rule.Priority).onOneLine()
		if typed {
			return inRuntime("signals.Rule").Add(values)
		}

		return values
	})
}

// agentsWithSignals returns the agents whose machines or gates have rules for signals, in the order
// of the program. An App has routes for signals only if there are any.
func agentsWithSignals(p *ir.Program) []string {
	var found []string
	for _, a := range p.Agents {
		if m := a.MachineOf(); m != nil && len(m.Live.Signals) > 0 {
			found = append(found, a.Name.Value)
		}
	}

	return found
}

// emitRoutes emits the method by which Go code adds rules for signals.
func (s *shared) emitRoutes(f *jen.File) {
	if len(agentsWithSignals(s.p)) == 0 {
		return
	}
	emitDeclaration(f, "Routes returns the rules for signals that Go code adds. A rule applies if the files have no rule for the signal. The "+
		"rules for the machine of one agent come before the rules for all machines. They apply to runs, and to live machines that "+
		"get them by SetRoutes.",
		s.method("Routes").Params().Op("*").Add(inRuntime("drive.Routes")).Block(jen.Return(jen.Op("&").Id("a").Dot("routes"))))
}
