package walk

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/hops"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// why says why no walk takes a row of a machine in a workflow, or none that does comes to its end. open says that a run may all
// the same: a guard may hold with values that were not tried, or it depends on what the run is given.
func (m *workMachine) why(row *Row) (why Why, open bool) {
	from := m.leaving(row.Row)
	canTake := func(s *hops.State) bool {
		return slices.Contains(s.Rows, row.Row) && !hops.Stays(s.State, row.Row)
	}
	reached := slices.ContainsFunc(from, func(s *hops.State) bool { return m.States[s.Index].Reached })
	switch {
	case row.Taken && !m.sure[row.Row]:
		return Why{NoKey, "whether one does depends on what it is given"}, true
	case row.Taken && m.cut:
		return Why{Bound, "not all runs were looked at"}, true
	case row.Taken:
		return Why{NoEnd, "no run that takes it comes to its end"}, false
	case !slices.ContainsFunc(from, canTake):
		return Why{NoKey, m.never(row.Row, from)}, false
	case m.cut:
		return Why{Bound, "not all runs were looked at"}, true
	case !reached:
		return Why{Unreached, m.unreached(row.Row)}, false
	case row.Row.When != nil:
		return Why{NoKey, "its guard holds with none of the values that were tried"}, true
	}

	return Why{NoKey, fmt.Sprintf("no answer that was tried brings a %s", row.Key())}, true
}

// leaving returns the states that a row leads from.
func (m *workMachine) leaving(row *ir.Row) []*hops.State {
	if s := m.graph.StateOf(row.From.State); s != nil {
		return []*hops.State{s}
	}

	return slices.DeleteFunc(slices.Clone(m.graph.States), func(s *hops.State) bool { return s.End })
}

// never says why a row is taken in no state.
func (m *workMachine) never(row *ir.Row, from []*hops.State) string {
	switch {
	case !row.FromAny() && from[0].End:
		return "the machine ends there"
	case row.Key.Value == ir.OnPause && !slices.ContainsFunc(from, func(s *hops.State) bool { return s.Asks }):
		return "nobody is asked there"
	case row.Key.Value == ir.OnPause && slices.ContainsFunc(from, func(s *hops.State) bool { return slices.Contains(s.Rows, row) }):
		return "the run goes on where the person was asked"
	}

	return "a row before it is always taken"
}

func (m *workMachine) unreached(row *ir.Row) string {
	if row.FromAny() {
		return fmt.Sprintf("no run comes to machine %q", m.Name())
	}

	return fmt.Sprintf("no run comes to state %q", row.From.Value)
}
