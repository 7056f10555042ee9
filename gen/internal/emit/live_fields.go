package emit

import (
	"cmp"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// around returns what belongs to a live machine besides its table.
func (l *liveMachine) around() fields {
	live := l.live
	state := jen.Id(l.stateType)
	enter, exit := l.namesOf(live.OnEnter), l.namesOf(live.OnExit)

	return fieldsOf(
		"Access", listOf(inLive("Access").Types(state), eachOf(live.Access, l.access)),
		"Enter", listOf(inLive("Names").Types(state), enter),
		"Exit", listOf(inLive("Names").Types(state), exit),
		"Timers", listOf(inLive("Timer").Types(state, jen.Id(l.keyType)), l.timers()),
		"Signals", listOf(in("signals.Rule"), signalRules(live.Signals, false)),
		"Renames", listOf(inLive("Rename").Types(state), eachOf(live.Renames, func(r *ir.Rename) jen.Code {
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

	return eachOf(sorted, func(n *ir.StateNames) jen.Code {
		return fieldsOf("State", l.state(n.State.State), "Names", n.Names).line()
	})
}

func (l *liveMachine) timers() []jen.Code {
	sorted := byState(l.ir, l.live.Timers, func(t *ir.Timer) *ir.State { return t.State.State })

	return eachOf(sorted, func(t *ir.Timer) jen.Code {
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
	found := make([]string, len(refs))
	for i, ref := range refs {
		found[i] = ref.State.Name.Value
	}

	return found
}
