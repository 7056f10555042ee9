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

// live emits the live machine: its type, what makes one, and what all of them have in common. What
// they do is in package live.
func (m *machine) live(f *jen.File) {
	name := names.LiveMachine(m.name)
	declare(f, name+" is a live "+m.name+": a state that other code moves, by the rows of its machine alone. "+
		"It is safe for concurrent use and runs no agents. Its methods are those of live.Machine.",
		jen.Type().Id(name).Struct(m.ofLive("Machine")))
	m.liveMaker(f)
	m.liveSpec(f)
}

// ofLive returns a generic type of package live for the states and keys of the machine.
func (m *machine) ofLive(name string) *jen.Statement {
	return inLive(name).Types(jen.Id(m.stateType), jen.Id(m.keyType))
}

// liveMaker emits the function that makes a live machine.
func (m *machine) liveMaker(f *jen.File) {
	name, made := names.NewLive(m.name), names.LiveMachine(m.name)
	f.Add(comment(name + " returns a live " + m.name + " in its initial state, " + m.ir.Initial.Value + "."))
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

// liveSpec emits the variable with what all live machines of the kind have in common.
func (m *machine) liveSpec(f *jen.File) {
	decides := fieldsOf("Next", m.ofState("Next"))
	if m.use.any {
		decides = fieldsOf("Guarded", m.ofState("Next"), "States", len(m.ir.States), "Values", m.use.steps)
	}
	table := slices.Concat(
		fieldsOf("Name", m.name, "Shape", MachineShape(m.ir), "Initial", m.state(m.ir.Initial.State), "Plain", m.plain()),
		decides,
		fieldsOf("Canonical", m.ofState("CanonicalKey"), "Keys", wanted(len(m.keys) > 0, m.ofState("Keys")),
			"Parse", jen.Id(names.ParseState(m.name)), "Ends", m.endsAtOnce()),
		m.around())

	declareVar(f, names.LiveSpec(m.name), "defines the live machines of "+m.name, m.ofLive("Spec").Add(table.braces()))
}

// MachineShape is a hash over a machine: snapshots of its live machines say by it which one they
// are of.
func MachineShape(m *ir.Machine) string {
	d := newDigest()
	d.machine(m)

	return d.sum()
}

// ofState is a method of the states as a function.
func (m *machine) ofState(method string) *jen.Statement { return jen.Id(m.stateType).Dot(method) }

// plain reports whether Next alone decides.
func (m *machine) plain() bool {
	for _, s := range m.ir.States {
		if s.Always != nil || hasCatchAll(s) {
			return false
		}
	}

	return len(m.ir.Live.Access) == 0 && len(m.ir.Live.Timers) == 0 && !m.use.any
}

// around returns what belongs to a live machine besides its table.
func (m *machine) around() fields {
	live := &m.ir.Live
	state := jen.Id(m.stateType)
	enter, exit := m.namesOf(live.OnEnter), m.namesOf(live.OnExit)

	return fieldsOf(
		"Access", listOf(inLive("Access").Types(state), ir.Map(live.Access, m.access)),
		"Enter", mapOf(state, jen.Index().String(), enter),
		"Exit", mapOf(state, jen.Index().String(), exit),
		"Timers", mapOf(state, inLive("Timer").Types(jen.Id(m.keyType)), m.timers()),
		"Signals", listOf(in("signals.Rule"), signalRules(live.Signals, false)),
		"Renames", mapOf(jen.String(), state, ir.Map(live.Renames, func(r *ir.Rename) jen.Code {
			return jen.Lit(r.From.Value).Op(":").Add(m.state(r.To.State))
		})))
}

// access returns a rule about who may fire what.
func (m *machine) access(rule *ir.AccessRule) jen.Code {
	states := ir.Map(rule.States, func(ref ir.Ref) string { return names.State(m.name, ref.State.Name.Value) })
	keys := ir.Map(rule.Keys, func(key ir.Text) string { return ir.FoldKey(key.Value) })
	in := jen.Index().Id(m.stateType).Values(list(states))

	return fieldsOf("Agent", rule.Agent, "Deny", rule.Deny, "States", wanted(len(states) > 0, in), "Keys", keys).line()
}

func (m *machine) namesOf(list []*ir.StateNames) []jen.Code {
	return ir.Map(list, func(n *ir.StateNames) jen.Code {
		return jen.Add(m.state(n.State.State)).Op(":").Values(ir.Map(n.Names, func(name ir.Text) jen.Code { return jen.Lit(name.Value) })...)
	})
}

func (m *machine) timers() []jen.Code {
	return ir.Map(m.ir.Live.Timers, func(t *ir.Timer) jen.Code {
		timer := fieldsOf("After", t.After, "Fire", m.keyOr(t.Fire.Value)).line()

		return jen.Add(m.state(t.State.State)).Op(":").Add(timer)
	})
}

// keyOr returns the constant of a key, or the text of one that only rows for every key take.
func (m *machine) keyOr(text string) *jen.Statement {
	if slices.Contains(ir.Values(m.keys), text) {
		return m.key(text)
	}

	return jen.Lit(text)
}

// signalRules returns the rules for signals; typed says that each has to name its type.
func signalRules(rules []*ir.SignalRule, typed bool) []jen.Code {
	return ir.Map(rules, func(rule *ir.SignalRule) jen.Code {
		key := wanted(rule.Do == ir.AnswerFire, jen.Lit(rule.Fire.Value))
		states := ir.Map(rule.In, func(ref ir.Ref) string { return ref.State.Name.Value })
		values := fieldsOf("On", rule.On, "In", states, "Do", in("signals."+names.Exported(rule.Do.String())), "Key", key, "Priority", rule.Priority).line()
		if typed {
			return in("signals.Rule").Add(values)
		}

		return values
	})
}

// signalled are the agents whose machines or gates have rules for signals, in the order of the
// program. Only with one of them has an App routes for signals.
func signalled(p *ir.Program) []string {
	var found []string
	for _, a := range p.Agents {
		if m := a.MachineOf(); m != nil && len(m.Live.Signals) > 0 {
			found = append(found, a.Name.Value)
		}
	}

	return found
}

// routes emits the method by which Go code adds rules for signals.
func (s *shared) routes(f *jen.File) {
	if len(signalled(s.p)) == 0 {
		return
	}
	declare(f, "Routes returns the rules for signals that Go code adds, which count where the files have none: for the machine of one "+
		"agent, which are asked first, or for all. They count in runs, and in live machines that get them by SetRoutes.",
		s.method("Routes").Params().Op("*").Add(in("drive.Routes")).Block(jen.Return(jen.Op("&").Id("a").Dot("routes"))))
}
