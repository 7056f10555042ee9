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
			m.compareExecution(method(names.Execute), method(names.Perform))
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

// compareEvents compares the rows of each state, event by event, and whether they have guards. Those
// of an event whose first row has no guard are in a table.
func (m *machine) compareEvents(method string) {
	var table, want []row
	for _, s := range m.ir.States {
		var unguarded []string
		for _, event := range ir.Events {
			rows := m.ir.RowsOn(s, event)
			switch {
			case len(rows) == 0:
			case rows[0].When == nil:
				unguarded = append(unguarded, "workflow."+names.Exported(event)+": "+m.expectedTarget(rows[0]))
			default:
				want = append(want, m.expectedEventRows(s, event, rows)...)
			}
		}
		if unguarded != nil {
			table = append(table, row{state: m.stateConstant(s), does: "{" + strings.Join(unguarded, ", ") + "}"})
		}
	}
	m.compareRows(names.Rows(m.name), table, m.readEntries(m.values[names.Rows(m.name)]))
	if want == nil {
		m.requireAbsent(method)
		return
	}
	got := slices.DeleteFunc(m.readTable(method), func(one row) bool {
		return strings.HasPrefix(one.does, "r.RecordFalse(") // the error for a guard that does not hold
	})
	for i := range got {
		got[i].does = unguardedMatch.ReplaceAllString(got[i].does, "$1")
		if got[i].guard != "" {
			got[i].guard = someGuard
		}
	}
	m.compareRows(method, append(want, row{does: `return 0, ""`}), got)
}

// someGuard is the guard of each row that has one, whatever its condition.
const someGuard = "a guard"

// expectedTarget returns the target of a row in the table.
func (m *machine) expectedTarget(r *ir.Row) string {
	target := "{To: " + m.stateConstant(r.To.State)
	if r.IsFromAny() {
		target += ", FromAny: true"
	}

	return target + "}"
}

// expectedEventRows returns the rows of an event with guards.
func (m *machine) expectedEventRows(s *ir.State, event string, rows []*ir.Row) []row {
	return ir.Map(rows, func(r *ir.Row) row {
		one := row{state: m.stateConstant(s), key: "workflow." + names.Exported(event)}
		match := "rt.MatchExact"
		switch {
		case r.When != nil:
			one.guard, match = someGuard, "rt.MatchGuard"
		case r.IsFromAny():
			match = "rt.MatchCatchAll"
		}
		one.does = "return " + m.stateConstant(r.To.State) + ", " + match

		return one
	})
}
