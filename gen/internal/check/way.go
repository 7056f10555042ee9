package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
)

// noteWay adds to d the shortest way into a group of states, at its last step. Without one, because
// it is not known where the machine starts or where a state leads, d stays as it is.
func (x *machine) noteWay(d *diag.Diagnostic, group []*flow.State) *diag.Diagnostic {
	var first *flow.State
	for _, s := range group {
		if (s.By != nil || s == x.flow.Start) && (first == nil || s.Steps < first.Steps) {
			first = s
		}
	}
	switch {
	case first == nil:
		return d
	case first.By == nil:
		return d.Note(x.Initial.Span, "the machine starts in %q", first.Name.Value)
	}

	return d.Note(first.By.Key().Span, "reached by %s", wayTo(first))
}

// wayTo writes the way to a state as `draft --needs-work--> critique`; of a long one the beginning
// and the end.
func wayTo(s *flow.State) string {
	var parts []string
	for by := s.By; by != nil; by = by.From.By {
		parts = append(parts, fmt.Sprintf("%s %s", by.From.Name.Value, arrow(by.Key().Value)))
	}
	slices.Reverse(parts)
	if more := len(parts) - maxListed; more > 0 {
		parts = append(append(parts[:maxListed/2:maxListed/2], fmt.Sprintf("… (%d more) …", more)), parts[len(parts)-maxListed/2:]...)
	}

	return strings.Join(append(parts, s.Name.Value), " ")
}

// arrow writes a transition with its key, of which there is none behind an unconditional state.
func arrow(key string) string {
	if key == "" {
		return "-->"
	}

	return "--" + key + "-->"
}
