package walk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// choose returns which of the rows that a key can take the path means: the first that leads to its next state. Where guards
// decide and the path does not go on, they all have to lead to the same state.
func (f *follower) choose(s *ir.State, key string, found []turning) (turning, error) {
	if i := slices.IndexFunc(found, func(t turning) bool { return targetOf(s.Rows[t.row]) == f.next }); f.next != "" && i >= 0 {
		return found[i], nil
	}
	var names []string
	for _, t := range found {
		if name := describeTarget(s.Rows[t.row]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	from := fmt.Sprintf("from state %q, key %q leads to %s, as guards say", s.Name.Value, key, strings.Join(names, " or "))
	switch {
	case len(names) == 1:
		return found[0], nil
	case f.next == "":
		return turning{}, wrongWay("%s: the path has to name the state that follows", from)
	}

	return turning{}, wrongWay("%s, not to %q", from, f.next)
}

// targetOf returns the name of the state to which a row leads; empty if the machine ends there.
func targetOf(row *ir.Row) string {
	if row.End {
		return ""
	}

	return row.To.Value
}

func describeTarget(row *ir.Row) string {
	if row.End {
		return "the end"
	}

	return fmt.Sprintf("%q", row.To.Value)
}
