package verify

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// comparePipeline compares the machines in a pipeline, including those in states of other machines.
func (r *reader) comparePipeline(p *ir.Pipeline) {
	for _, t := range p.Tasks {
		for ; t != nil; t = t.Fallback {
			do, isMachine := t.Do.(*ir.Machine)
			if !isMachine {
				for _, inner := range t.Pipelines() {
					r.comparePipeline(inner)
				}
				continue
			}
			m := &machine{reader: r, ir: do, name: names.Machine(r.agent, p, t.Name.Value)}
			method := func(v names.Verb) string {
				return names.RunType(r.agent) + "." + names.Work(v, p, t.Name.Value)
			}
			m.compareStates()
			m.compareRowless(method(names.Execute))
			m.compareRun(method(names.Execute))
			m.compareEvents(method(names.Next))
			for _, s := range do.States {
				if !s.End {
					r.comparePipeline(s.Body)
				}
			}
		}
	}
}

// compareRowless compares in which states without rows the machine can end.
func (m *machine) compareRowless(execute string) {
	working := ir.Where(m.ir.States, func(s *ir.State) bool { return !s.End })
	states := ir.Where(working, m.ir.HasNoRows)
	does := "next, match := m.Follow("
	if len(m.ir.Rows()) > 0 {
		does = "next, match = m.Follow("
	}
	typ := names.StateType(m.name)
	switch {
	case len(working) == 0:
		return
	case len(states) == len(working):
		does += "true)"
	case len(states) == 0:
		does += "false)"
	default:
		does += "state.Rowless())"
		m.compareRows("Rowless", m.expectedPredicate(states), m.readTable(typ+".Rowless"))
	}
	follows := func(one row) bool { return strings.Contains(one.does, "m.Follow(") }
	m.compareRows(execute, []row{{does: does}}, ir.Map(ir.Where(m.readRows(row{}, m.functionBody(execute)), follows), func(one row) row { return row{does: one.does} }))
}

// expectedPredicate returns the table of a method that is true in some states.
func (m *machine) expectedPredicate(states []*ir.State) []row {
	if len(states) == 1 {
		return []row{{does: "return s == " + m.stateConstant(states[0])}}
	}
	holds := ir.Map(states, func(s *ir.State) row { return row{state: m.stateConstant(s), does: "return true"} })

	return append(holds, row{does: "return false"})
}

// unguardedMatch matches how a row without a guard is found after guards that can be unknown.
var unguardedMatch = regexp.MustCompile(`r\.MatchUnguarded\((.*)\)`)

// compareEvents compares the rows of each state, event by event, and whether they have guards.
func (m *machine) compareEvents(method string) {
	if len(m.ir.Rows()) == 0 {
		m.requireAbsent(method)
		return
	}
	const guard = "a guard"
	var want []row
	for _, s := range m.ir.States {
		for _, event := range ir.Events {
			for _, r := range m.ir.RowsOn(s, event) {
				one := row{state: m.stateConstant(s), key: "workflow." + names.Exported(event)}
				match := "rt.MatchExact"
				switch {
				case r.When != nil:
					one.guard, match = guard, "rt.MatchGuard"
				case r.IsFromAny():
					match = "rt.MatchCatchAll"
				}
				one.does = "return " + m.stateConstant(r.To.State) + ", " + match
				want = append(want, one)
			}
		}
	}
	got := slices.DeleteFunc(m.readTable(method), func(one row) bool {
		return strings.HasPrefix(one.does, "r.RecordFalse(") // the error for a guard that does not hold
	})
	for i := range got {
		got[i].does = unguardedMatch.ReplaceAllString(got[i].does, "$1")
		if got[i].guard != "" {
			got[i].guard = guard
		}
	}
	m.compareRows(method, append(want, row{does: `return 0, ""`}), got)
}
