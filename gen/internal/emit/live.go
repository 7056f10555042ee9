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
	l.memory(f)
	l.maker(f)
	l.spec(f)
	l.judges(f)
}

// liveMachine emits the live machine of a machine.
type liveMachine struct {
	*machine
	live *ir.Live
}

// remembers reports whether a live machine has to remember more than its state.
func (l *liveMachine) remembers() bool { return len(l.live.Timers) > 0 || l.use.any }

// memoryType returns the type of what it remembers.
func (l *liveMachine) memoryType() *jen.Statement {
	if l.remembers() {
		return jen.Id(names.LiveMemory(l.name))
	}

	return jen.Struct()
}

// types are what the generic types of package live are made of.
func (l *liveMachine) types() []jen.Code {
	return []jen.Code{jen.Id(l.stateType), jen.Id(l.keyType), l.memoryType()}
}

func (l *liveMachine) typ(f *jen.File) {
	name := names.LiveMachine(l.name)
	declare(f, name+" is a live "+l.name+": a state that other code moves, by the rows of its machine alone. "+
		"It is safe for concurrent use and runs no agents. Its methods are those of live.Machine.",
		jen.Type().Id(name).Struct(inLive("Machine").Types(l.types()...)))
}

// memory emits the type of what the machine remembers besides its state.
func (l *liveMachine) memory(f *jen.File) {
	if !l.remembers() {
		return
	}
	name := names.LiveMemory(l.name)
	declare(f, name+" is what a live "+l.name+" remembers besides its state.",
		jen.Type().Id(name).StructFunc(func(g *jen.Group) {
			if l.use.named {
				g.Id("guards").Id("Guards")
			}
			if l.use.any {
				g.Id("visits").Index(jen.Lit(len(l.ir.States) + 1)).Int64().Add(trailing("by state"))
			}
			if l.use.steps {
				g.Id("values").Index(jen.Lit(len(l.ir.States) + 1)).String().Add(trailing("by state"))
			}
			if len(l.live.Timers) > 0 {
				g.Id("deadline").Qual("time", "Time")
			}
		}))
}

// maker emits the function that makes a live machine.
func (l *liveMachine) maker(f *jen.File) {
	name, made := names.NewLive(l.name), names.LiveMachine(l.name)
	f.Add(comment(name + " returns a live " + l.name + " in its initial state, " + l.ir.Initial.Value + "."))
	params := []jen.Code{jen.Id("options").Op("...").Add(inLive("Option"))}
	var memory []jen.Code
	if l.use.named {
		params = append([]jen.Code{jen.Id("guards").Id("Guards")}, params...)
		memory = append(memory, jen.Id("guards").Op(":").Id("guards"))
	}
	f.Func().Id(name).Params(params...).Op("*").Id(made).Block(
		jen.Id("m").Op(":=").Op("&").Id(made).Values(),
		inLive("Start").Call(jen.Op("&").Id("m").Dot("Machine"), jen.Op("&").Id(names.LiveSpec(l.name)),
			l.memoryType().Values(memory...), jen.Id("options").Op("...")),
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
		decides = fieldsOf("Judge", jen.Parens(jen.Op("*").Add(l.memoryType())).Dot("judge"))
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
		})),
		"Visits", wanted(l.use.any, l.remembered(jen.Index().Int64(), jen.Id("m").Dot("visits").Index(jen.Op(":")))),
		"Values", wanted(l.use.steps, l.remembered(jen.Index().String(), jen.Id("m").Dot("values").Index(jen.Op(":")))),
		"Deadline", wanted(len(live.Timers) > 0, l.remembered(jen.Op("*").Qual("time", "Time"), jen.Op("&").Id("m").Dot("deadline"))))
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

// remembered returns the function by which package live finds what the machine remembers.
func (l *liveMachine) remembered(typ, of *jen.Statement) *jen.Statement {
	return jen.Func().Params(jen.Id("m").Op("*").Add(l.memoryType())).Add(typ).Values(jen.Return(of))
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

// judges emits the method that asks the guards of a live machine.
func (l *liveMachine) judges(f *jen.File) {
	if !l.use.any {
		return
	}
	memory := names.LiveMemory(l.name)
	values := jen.Qual("slices", "Clone").Call(jen.Id("m").Dot("values").Index(jen.Op(":"))) // the memory does not change
	declare(f, "judge finds the row for key in s. suppose, if it is not nil, answers for the guards.",
		jen.Func().Params(jen.Id("m").Op("*").Id(memory)).Id("judge").Custom(broken,
			jen.Id("s").Id(l.stateType), jen.Id("key").Id(l.keyType), jen.Id("value").String(),
			jen.Id("suppose").Func().Params(jen.String()).Bool()).
			Params(jen.Id("next").Id(l.stateType), jen.Id("judge").Op("*").Add(in("rt.Judge")), jen.Id("ok").Bool()).
			BlockFunc(func(g *jen.Group) {
				g.Id("g").Op(":=").Add(l.machine.judge(nil, jen.Id("m").Dot("visits").Index(jen.Op(":")), values, in("rt.AskGuard"), jen.Id("m").Dot("guards")))
				g.Id("g").Dot("Suppose").Op("=").Id("suppose")
				g.Add(begin("g", "s", jen.Id("value")))
				g.List(jen.Id("next"), jen.Id("ok")).Op("=").Id("s").Dot("Next").Call(jen.Id("key"), jen.Id("g"))
				g.Line()
				g.Return(jen.Id("next"), jen.Id("g"), jen.Id("ok"))
			}))
}
