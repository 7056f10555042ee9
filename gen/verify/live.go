package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// live compares the live machine.
func (m *machine) live() {
	made, spec, types := names.LiveMachine(m.name), names.LiveSpec(m.name), m.liveTypes()
	m.typeOf(made, "struct { live.Machine"+types+" }")
	m.liveMemory()
	params, memory := "", ""
	if m.asked.named {
		params, memory = "guards Guards, ", "guards: guards"
	}
	m.writtenFunc(names.NewLive(m.name), fmt.Sprintf(`func %s(%soptions ...live.Option) *%s {
		m := &%[3]s{}
		live.Start(&m.Machine, &%s, %s{%s}, options...)
		return m
	}`, names.NewLive(m.name), params, made, spec, m.memoryType(), memory))
	m.fields(spec, "live.Spec"+types, m.liveFields(), m.values[spec])
	m.may()
	m.liveJudge()
}

func (m *machine) liveTypes() string {
	return "[" + m.stateType() + ", " + m.keyType() + ", " + m.memoryType() + "]"
}

// memoryType is how the type is written of what the live machine remembers besides its state.
func (m *machine) memoryType() string {
	if len(m.ir.Live.Timers) > 0 || m.ir.Guarded() {
		return names.LiveMemory(m.name)
	}

	return "struct{}"
}

func (m *machine) liveMemory() {
	name := names.LiveMemory(m.name)
	switch {
	case m.memoryType() == name:
		m.typeOf(name, "struct {"+m.memoryFields()+"}")
	case m.types[name] != nil:
		m.fail(name, "no type", "one")
	}
}

// liveFields are the fields of what all live machines of the kind have in common.
func (m *machine) liveFields() []field {
	of := func(method string) string { return m.stateType() + "." + method }
	list := []field{
		{"Name", strconv.Quote(m.name)},
		{"Shape", strconv.Quote(emit.MachineShape(m.ir))},
		{"Initial", names.State(m.name, m.ir.Initial.Value)},
	}
	add := func(holds bool, name, value string) {
		if holds {
			list = append(list, field{name, value})
		}
	}
	live := &m.ir.Live
	add(m.plain(), "Plain", "true")
	add(m.ir.Guarded(), "Judge", "(*"+m.memoryType()+").judge")
	add(m.ir.Guarded(), "Toward", of("toward"))
	add(!m.ir.Guarded(), "Next", of("Next"))
	add(true, "Canonical", of("CanonicalKey"))
	add(len(m.keys) > 0, "Keys", of("Keys"))
	add(true, "Parse", names.ParseState(m.name))
	add(m.ends(), "Ends", "true")
	add(len(live.Access) > 0, "May", of("may"))
	add(len(live.OnEnter) > 0, "Enter", m.liveNames(live.OnEnter))
	add(len(live.OnExit) > 0, "Exit", m.liveNames(live.OnExit))
	add(len(live.Timers) > 0, "Timers", m.liveTimers())
	add(len(live.Signals) > 0, "Signals", m.liveSignals())
	add(len(live.Renames) > 0, "Renames", m.liveRenames())
	memory := "func(m *" + m.memoryType() + ") "
	add(m.asked.visits, "Visits", memory+"[]int64 { return m.visits[:] }")
	add(len(m.asked.steps) > 0, "Values", memory+"[]string { return m.values[:] }")
	add(len(live.Timers) > 0, "Deadline", memory+"*time.Time { return &m.deadline }")

	return list
}

// plain reports whether a key of a row is all that a step needs.
func (m *machine) plain() bool {
	catchAll, always := m.leadsOn()

	return len(catchAll)+len(always)+len(m.ir.Live.Access)+len(m.ir.Live.Timers) == 0 && !m.ir.Guarded()
}

// ends reports whether a row ends the machine.
func (m *machine) ends() bool {
	return slices.ContainsFunc(m.ir.States, func(s *ir.State) bool {
		return slices.ContainsFunc(s.Rows, func(r *ir.Row) bool { return r.End })
	})
}

// byState returns how elements are written that stand in the order of their states.
func (m *machine) byState(elements map[*ir.State]string) string {
	var list []string
	for _, s := range m.ir.States {
		if element, ok := elements[s]; ok {
			list = append(list, "{State: "+names.State(m.name, s.Name.Value)+", "+element+"}")
		}
	}

	return "{" + strings.Join(list, ", ") + "}"
}

func (m *machine) liveNames(list []*ir.StateNames) string {
	elements := map[*ir.State]string{}
	for _, n := range list {
		elements[n.State.State] = "Names: " + textList(values(n.Names))
	}

	return "[]live.Names[" + m.stateType() + "]" + m.byState(elements)
}

// units are those of durations, the largest first.
var units = []struct {
	name string
	of   time.Duration
}{
	{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second}, {"Millisecond", time.Millisecond},
	{"Microsecond", time.Microsecond}, {"Nanosecond", time.Nanosecond},
}

func (m *machine) liveTimers() string {
	elements := map[*ir.State]string{}
	for _, t := range m.ir.Live.Timers {
		unit := units[slices.IndexFunc(units, func(u struct {
			name string
			of   time.Duration
		}) bool {
			return t.After%u.of == 0
		})]
		key := strconv.Quote(t.Fire.Value)
		if name := names.Key(m.name, t.Fire.Value); m.keys[name] == t.Fire.Value {
			key = name
		}
		elements[t.State.State] = fmt.Sprintf("After: %d * time.%s, Fire: %s", t.After/unit.of, unit.name, key)
	}

	return "[]live.Timer[" + m.stateType() + ", " + m.keyType() + "]" + m.byState(elements)
}

func (m *machine) liveSignals() string { return "[]runtime.SignalRule{" + m.signalRules("") + "}" }

func (m *machine) liveRenames() string {
	var list []string
	for _, r := range m.ir.Live.Renames {
		list = append(list, fmt.Sprintf("{From: %q, To: %s}", r.From.Value, names.State(m.name, r.To.State.Name.Value)))
	}

	return "[]live.Rename[" + m.stateType() + "]{" + strings.Join(list, ", ") + "}"
}

// may compares the access rules: first those that deny.
func (m *machine) may() {
	name := m.method("may")
	if len(m.ir.Live.Access) == 0 {
		m.absent(name)
		return
	}
	var denied, allowed string
	for _, rule := range m.ir.Live.Access {
		if rule.Deny {
			denied += "case " + m.covered(rule) + ": return false\n"
		} else {
			allowed += "case " + m.covered(rule) + ": return true\n"
		}
	}
	m.writtenFunc(name, "func (s "+m.stateType()+") may(agent, key string) bool { switch {\n"+denied+allowed+"}\nreturn false }")
}

// covered is the condition under which a rule counts.
func (m *machine) covered(rule *ir.AccessRule) string {
	var states, fired, all []string
	if rule.Agent.Value != ir.CatchAll {
		all = append(all, "agent == "+strconv.Quote(rule.Agent.Value))
	}
	for _, ref := range rule.States {
		states = append(states, "s == "+names.State(m.name, ref.State.Name.Value))
	}
	for _, key := range rule.Keys {
		fired = append(fired, "key == "+strconv.Quote(ir.FoldKey(key.Value)))
	}
	parts := len(all) + min(len(states), 1) + min(len(fired), 1)
	for _, some := range [][]string{states, fired} {
		text := strings.Join(some, " || ")
		if len(some) > 1 && parts > 1 {
			text = "(" + text + ")"
		}
		if text != "" {
			all = append(all, text)
		}
	}
	if all == nil {
		return "true"
	}

	return strings.Join(all, " && ")
}
