package emit

import (
	"cmp"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// livePath is the import path of the package that live machines link against.
const livePath = runtimePath + "/live"

// inLive returns the qualified name of something in package live.
func inLive(name string) *jen.Statement { return jen.Qual(livePath, name) }

// live emits the live machine: its type, what makes one, and what all of them have in common. What they do is in package live.
func (m *machine) live(f *jen.File) {
	l := &liveMachine{machine: m, live: &m.ir.Live}
	l.typ(f)
	l.maker(f)
	l.spec(f)
}

// liveMachine emits the live machine of a machine.
type liveMachine struct {
	*machine
	live *ir.Live
}

// types are what the generic types of package live are made of.
func (l *liveMachine) types() []jen.Code {
	return []jen.Code{jen.Id(l.stateType), jen.Id(l.keyType)}
}

func (l *liveMachine) typ(f *jen.File) {
	name := names.LiveMachine(l.name)
	declare(f, name+" is a live "+l.name+": a state that other code moves, by the rows of its machine alone. "+
		"It is safe for concurrent use and runs no agents. Its methods are those of live.Machine.",
		jen.Type().Id(name).Struct(inLive("Machine").Types(l.types()...)))
}

// maker emits the function that makes a live machine.
func (l *liveMachine) maker(f *jen.File) {
	name, made := names.NewLive(l.name), names.LiveMachine(l.name)
	f.Add(comment(name + " returns a live " + l.name + " in its initial state, " + l.ir.Initial.Value + "."))
	var params []jen.Code
	guards := jen.Nil()
	if l.use.named {
		params = append(params, jen.Id("guards").Id("Guards"))
		guards = jen.Id(names.NamedGuards).Call(jen.Id("guards"))
	}
	f.Func().Id(name).Params(params...).Op("*").Id(made).Block(
		jen.Id("m").Op(":=").Op("&").Id(made).Values(),
		inLive("Start").Call(jen.Op("&").Id("m").Dot("Machine"), jen.Op("&").Id(names.LiveSpec(l.name)), guards),
		jen.Line(),
		jen.Return(jen.Id("m")),
	)
	f.Line()
}

// spec emits the variable with what all live machines of the kind have in common.
func (l *liveMachine) spec(f *jen.File) {
	name := names.LiveSpec(l.name)
	decides := fieldsOf("Next", l.ofState("Next"))
	if l.use.any {
		decides = fieldsOf("Guarded", l.ofState("Next"), "States", len(l.ir.States), "Values", l.use.steps)
	}
	table := slices.Concat(
		fieldsOf("Name", l.name, "Shape", MachineShape(l.ir), "Initial", l.state(l.ir.Initial.State), "Plain", l.plain()),
		decides,
		fieldsOf("Canonical", l.ofState("CanonicalKey"), "Keys", wanted(len(l.keys) > 0, l.ofState("Keys")),
			"Parse", jen.Id(names.ParseState(l.name)), "Ends", l.endsAtOnce()),
		l.around())

	declare(f, name+" defines the live machines of "+l.name+".",
		jen.Var().Id(name).Op("=").Add(inLive("Spec")).Types(l.types()...).Add(table.braces()))
}

// MachineShape is a hash over a machine: snapshots of its live machines say by it which one they are of.
func MachineShape(m *ir.Machine) string {
	d := newDigest()
	d.machine(m)

	return d.sum()
}

// ofState is a method of the states as a function.
func (l *liveMachine) ofState(method string) *jen.Statement { return jen.Id(l.stateType).Dot(method) }

// plain reports whether Next alone decides.
func (l *liveMachine) plain() bool {
	for _, s := range l.ir.States {
		if s.Always != nil || hasCatchAll(s) {
			return false
		}
	}

	return len(l.live.Access) == 0 && len(l.live.Timers) == 0 && !l.use.any
}

// around returns what belongs to a live machine besides its table.
func (l *liveMachine) around() fields {
	live := l.live
	state := jen.Id(l.stateType)
	enter, exit := l.namesOf(live.OnEnter), l.namesOf(live.OnExit)

	return fieldsOf(
		"Access", listOf(inLive("Access").Types(state), ir.Map(live.Access, l.access)),
		"Enter", listOf(inLive("Names").Types(state), enter),
		"Exit", listOf(inLive("Names").Types(state), exit),
		"Timers", listOf(inLive("Timer").Types(state, jen.Id(l.keyType)), l.timers()),
		"Signals", listOf(in("signals.Rule"), signalRules(live.Signals, false)),
		"Renames", listOf(inLive("Rename").Types(state), ir.Map(live.Renames, func(r *ir.Rename) jen.Code {
			return fieldsOf("From", r.From, "To", l.state(r.To.State)).line()
		})))
}

// access returns a rule about who may fire what.
func (l *liveMachine) access(rule *ir.AccessRule) jen.Code {
	var states, keys []string
	for _, ref := range rule.States {
		states = append(states, names.State(l.name, ref.State.Name.Value))
	}
	for _, key := range rule.Keys {
		keys = append(keys, ir.FoldKey(key.Value))
	}
	in := jen.Index().Id(l.stateType).Values(list(states))

	return fieldsOf("Agent", rule.Agent, "Deny", rule.Deny, "States", wanted(states != nil, in), "Keys", keys).line()
}

// byState returns the elements in the order of their states.
func byState[E any](m *ir.Machine, list []E, state func(E) *ir.State) []E {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b E) int {
		return cmp.Compare(slices.Index(m.States, state(a)), slices.Index(m.States, state(b)))
	})

	return sorted
}

func (l *liveMachine) namesOf(list []*ir.StateNames) []jen.Code {
	sorted := byState(l.ir, list, func(n *ir.StateNames) *ir.State { return n.State.State })

	return ir.Map(sorted, func(n *ir.StateNames) jen.Code {
		return fieldsOf("State", l.state(n.State.State), "Names", n.Names).line()
	})
}

func (l *liveMachine) timers() []jen.Code {
	sorted := byState(l.ir, l.live.Timers, func(t *ir.Timer) *ir.State { return t.State.State })

	return ir.Map(sorted, func(t *ir.Timer) jen.Code {
		return fieldsOf("State", l.state(t.State.State), "After", t.After, "Fire", l.keyOr(t.Fire.Value)).line()
	})
}

// keyOr returns the constant of a key, or the text of one that only rows for every key take.
func (l *liveMachine) keyOr(text string) *jen.Statement {
	for _, key := range l.keys {
		if key.Value == text {
			return l.key(text)
		}
	}

	return jen.Lit(text)
}

func statesNamed(refs []ir.Ref) []string {
	return ir.Map(refs, func(ref ir.Ref) string { return ref.State.Name.Value })
}
