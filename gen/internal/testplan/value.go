package testplan

import (
	"encoding/json"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
)

// valuesOf returns what agents can finish with where not any text will do: one value, and of a oneshot, whose text may be a
// verdict, each that its schema names. An agent for which none is found has none; no run comes behind it.
func valuesOf(agents []*ir.Agent) map[string][]string {
	values := map[string][]string{}
	for _, a := range agents {
		for _, step := range a.Conversations() {
			if fitting := fitting(step); len(fitting) > 0 {
				values[step.Label(a.Name.Value)] = fitting
			}
		}
	}

	return values
}

// fitting returns values that fit the output of a step, as JSON.
func fitting(s *ir.Step) []string {
	output := s.Output()
	if _, isOneshot := s.Node.(*ir.Oneshot); isOneshot && s.List() != nil {
		if s.List().Kind == ir.ListItems {
			return []string{`["an item"]`}
		}
		return nil
	} else if isOneshot && output != nil {
		if texts := quoted(sample.Texts(output, "Not yet.", "DONE", "done")); len(texts) > 0 {
			return texts
		}
	}
	if output == nil {
		return nil
	}
	value, err := sample.Value(output, "text")
	if err != nil {
		return nil
	}

	return []string{value}
}

func quoted(texts []string) []string {
	var list []string
	for _, text := range texts {
		if quoted, err := json.Marshal(text); err == nil {
			list = append(list, string(quoted))
		}
	}

	return list
}
