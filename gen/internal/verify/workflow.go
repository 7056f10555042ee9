package verify

import (
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

// events compares the rows of each state, event by event. Of guards it compares where there are some.
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
		if got[i].guard != "" {
			got[i].guard = guard
		}
	}
	m.same(method, append(want, row{does: `return 0, ""`}), got)
}
