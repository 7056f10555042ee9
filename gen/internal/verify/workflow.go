package verify

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// pipeline compares the machines in a pipeline, also those in the states of others that are no
// ends.
func (r *reader) pipeline(p *ir.Pipeline) {
	for _, t := range p.Tasks {
		for ; t != nil; t = t.Fallback {
			do, isMachine := t.Do.(*ir.Machine)
			if !isMachine {
				for _, inside := range t.Pipelines() {
					r.pipeline(inside)
				}
				continue
			}
			m := &machine{reader: r, ir: do, name: names.Machine(r.agent, p, t.Name.Value)}
			method := func(v names.Verb) string {
				return names.RunType(r.agent) + "." + names.Work(v, p, t.Name.Value)
			}
			m.states()
			m.rowless(method(names.Execute))
			m.run(method(names.Execute))
			m.events(method(names.Next))
			for _, s := range do.States {
				if !s.End {
					r.pipeline(s.Body)
				}
			}
		}
	}
}

// rowless compares in which states without rows the machine can end.
func (m *machine) rowless(execute string) {
	working := ir.Where(m.ir.States, func(s *ir.State) bool { return !s.End })
	states := ir.Where(working, m.ir.Rowless)
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
		m.same("Rowless", m.predicate(states), m.table(typ+".Rowless"))
	}
	follows := func(one row) bool { return strings.Contains(one.does, "m.Follow(") }
	m.same(execute, []row{{does: does}}, ir.Map(ir.Where(m.rows(row{}, m.function(execute)), follows), func(one row) row { return row{does: one.does} }))
}

// predicate is the table of a method that returns true in some states.
func (m *machine) predicate(states []*ir.State) []row {
	if len(states) == 1 {
		return []row{{does: "return s == " + m.state(states[0])}}
	}
	holds := ir.Map(states, func(s *ir.State) row { return row{state: m.state(s), does: "return true"} })

	return append(holds, row{does: "return false"})
}

// elseMatch is how a row without a guard was found behind guards that can be unknown.
var elseMatch = regexp.MustCompile(`r\.Else\((.*)\)`)

// events compares the rows of each state, event by event. Of guards it compares where there are
// some.
func (m *machine) events(method string) {
	if len(m.ir.Rows()) == 0 {
		m.absent(method)
		return
	}
	const guard = "a guard"
	var want []row
	for _, s := range m.ir.States {
		for _, event := range ir.Events {
			for _, r := range m.ir.Ways(s, event) {
				one := row{state: m.state(s), key: "workflow." + names.Exported(event)}
				match := "rt.MatchExact"
				switch {
				case r.When != nil:
					one.guard, match = guard, "rt.MatchGuard"
				case r.FromAny():
					match = "rt.MatchCatchAll"
				}
				one.does = "return " + m.state(r.To.State) + ", " + match
				want = append(want, one)
			}
		}
	}
	got := slices.DeleteFunc(m.table(method), func(one row) bool {
		return strings.HasPrefix(one.does, "r.Refuse(") // what an error says of a guard that did not hold
	})
	for i := range got {
		got[i].does = elseMatch.ReplaceAllString(got[i].does, "$1")
		if got[i].guard != "" {
			got[i].guard = guard
		}
	}
	m.same(method, append(want, row{does: `return 0, ""`}), got)
}
