package emit

import (
	"cmp"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// around sets what belongs to a live machine besides its table.
func (l *liveMachine) around(fields *fields) {
	if len(l.live.Access) > 0 {
		fields.set("May", l.ofState("may"))
	}
	l.namesOf(fields, "Enter", l.live.OnEnter)
	l.namesOf(fields, "Exit", l.live.OnExit)
	l.timers(fields)
	l.signals(fields)
	l.renames(fields)
	l.memories(fields)
}

// memories sets where package live finds what the machine remembers.
func (l *liveMachine) memories(fields *fields) {
	at := func(holds bool, name string, result, of *jen.Statement) {
		if holds {
			fields.set(name, jen.Func().Params(jen.Id("m").Op("*").Add(l.memoryType())).Add(result).Values(jen.Return(of)))
		}
	}
	field := func(name string) *jen.Statement { return jen.Id("m").Dot(name) }
	at(l.use.counts(), "Visits", jen.Index().Int64(), field("visits").Index(jen.Op(":")))
	at(len(l.use.steps) > 0, "Values", jen.Index().String(), field("values").Index(jen.Op(":")))
	at(len(l.live.Timers) > 0, "Deadline", jen.Op("*").Qual("time", "Time"), jen.Op("&").Add(field("deadline")))
}

// listOf sets a field to a list of structs of package live, an element a line; without elements it is left out.
func (l *liveMachine) listOf(fields *fields, name string, typ *jen.Statement, elements []jen.Code) {
	if len(elements) > 0 {
		fields.set(name, jen.Index().Add(typ).Custom(block, elements...))
	}
}

// keyed is a field of a literal on one line.
func keyed(field string, value *jen.Statement) jen.Code { return jen.Id(field).Op(":").Add(value) }

// byState returns the elements in the order of their states.
func byState[E any](m *ir.Machine, list []E, state func(E) *ir.State) []E {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b E) int {
		return cmp.Compare(slices.Index(m.States, state(a)), slices.Index(m.States, state(b)))
	})

	return sorted
}

func (l *liveMachine) namesOf(fields *fields, name string, list []*ir.StateNames) {
	var elements []jen.Code
	for _, n := range byState(l.ir, list, func(n *ir.StateNames) *ir.State { return n.State.State }) {
		elements = append(elements, jen.Values(keyed("State", l.state(n.State.State)), keyed("Names", textsOf(n.Names))))
	}
	l.listOf(fields, name, inLive("Names").Types(jen.Id(l.stateType)), elements)
}

// textsOf returns a list of texts.
func textsOf(list []ir.Text) *jen.Statement { return stringsOf(texts(list)) }

func stringsOf(values []string) *jen.Statement {
	return jen.Index().String().Values(list(literals(values)))
}

func (l *liveMachine) timers(fields *fields) {
	var elements []jen.Code
	for _, t := range byState(l.ir, l.live.Timers, func(t *ir.Timer) *ir.State { return t.State.State }) {
		elements = append(elements, jen.Values(
			keyed("State", l.state(t.State.State)), keyed("After", duration(t.After)), keyed("Fire", l.keyOr(t.Fire.Value))))
	}
	l.listOf(fields, "Timers", inLive("Timer").Types(jen.Id(l.stateType), jen.Id(l.keyType)), elements)
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

func (l *liveMachine) signals(fields *fields) {
	l.listOf(fields, "Signals", in("SignalRule"), signalRules(l.live.Signals, false))
}

func statesNamed(refs []ir.Ref) []string {
	found := make([]string, len(refs))
	for i, ref := range refs {
		found[i] = ref.State.Name.Value
	}

	return found
}

func (l *liveMachine) renames(fields *fields) {
	var elements []jen.Code
	for _, r := range l.live.Renames {
		elements = append(elements, jen.Values(keyed("From", jen.Lit(r.From.Value)), keyed("To", l.state(r.To.State))))
	}
	l.listOf(fields, "Renames", inLive("Rename").Types(jen.Id(l.stateType)), elements)
}
