package machinetest

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
)

// judgedRow returns the row that has to be taken after what guards said. They have to be those of the rows, in their order.
func (r *run) judgedRow(s *state, found row, asked []event.Guard) row {
	r.t.Helper()
	rows := s.tried(found)
	for i, guard := range asked {
		if i >= len(rows) || rows[i].guard() != guard.Name {
			r.problem("in %q a run asks the guard %q%s, which is not the next one of the key %s",
				s.name, guard.Name, r.after(), short(found.key))

			break
		}
		if guard.OK {
			return outcome(found, rows, i)
		}
	}

	return outcome(found, rows, len(asked))
}

// expressions notes that runs went where an expression said, so that not all that is possible can be tried.
func (r *run) expressions(asked []event.Guard) {
	for _, guard := range asked {
		if !r.asked[strings.TrimPrefix(guard.Name, "not ")] {
			r.stuck["expressions in guards say where runs go"] = true
		}
	}
}

// rejected compares why a key was refused with the table.
func (r *run) rejected(err *runtime.GuardRejectedError) {
	r.t.Helper()
	for _, guard := range err.Guards {
		r.expressions([]event.Guard{{Name: guard.Guard}})
	}
	s := r.plan.states[err.State]
	if err.Machine != r.plan.machine || s == nil {
		return // that of a machine within this one
	}
	rows := s.tried(s.find(err.Key))
	for i, row := range rows {
		if row.guard() == "" || i >= len(err.Guards) || err.Guards[i].Guard != row.guard() {
			r.problem("a run fails%s: %v, want the next row to be tried", r.after(), err)

			return
		}
	}
}
