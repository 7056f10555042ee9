package can

import (
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// pick is what a conversation has to give in a field of its value, so that a run takes a way.
type pick struct {
	step  *ir.Step
	field string
	value json.RawMessage
}

// mostPicks is how many combinations of values are tried for a way.
const mostPicks = 4096

// picks returns values with which a condition is the first of several that holds, or none of them if its number is theirs. ok is false if
// that depends on something else than fields with few values, of what conversations of the workflow give.
func (w *workTexts) picks(conditions []ir.Expression, number int) (picks []pick, ok bool) {
	samples := expr.Samples(conditions)
	steps := make([]*ir.Step, len(samples))
	combinations := 1
	for i, sample := range samples {
		var values []workflow.Value
		if steps[i], values = w.decided(sample); len(values) == 0 {
			return nil, false
		}
		sample.Values = values
		if combinations *= len(values); combinations > mostPicks {
			return nil, false
		}
	}
	for n := range combinations {
		values := map[string]workflow.Value{}
		picks = nil
		for i, sample := range samples {
			value := sample.Values[n%len(sample.Values)]
			n /= len(sample.Values)
			values[expr.NameOf(sample.Access)] = value
			picks = append(picks, pick{steps[i], sample.Access.Path[0].Name.Value, json.RawMessage(value.JSON())})
		}
		outcomes := expr.Choose(conditions, func(a *ir.Access) (any, bool) {
			value, known := values[expr.NameOf(a)]
			return value, known
		})
		first, isOther := outcomes.First, outcomes.None && !outcomes.Blocked
		others := slices.Contains(slices.Concat(first[:min(number, len(first))], first[min(number+1, len(first)):]), true)
		isDecided := !outcomes.None && !outcomes.Blocked
		isFirst := isDecided && number < len(first) && first[number]
		isElse := isOther && number == len(first)
		if !others && (isFirst || isElse) {
			return picks, true
		}
	}

	return nil, false
}

// decided returns the conversation that decides what has a name, and those of its values that fit its schema; nil if there is none.
func (w *workTexts) decided(sample *expr.Sample) (*ir.Step, []workflow.Value) {
	if sample.Access.Root != ir.RootStep || len(sample.Access.Path) != 1 {
		return nil, nil
	}
	var step *ir.Step
	ir.WalkTasks(w.agent.Node.(*ir.Flow).Body, func(t *ir.Task) {
		if run, isRun := t.Do.(*ir.Run); isRun && t.Output == sample.Access.Output && t.Fallback == nil {
			step = run.Step
		}
	})
	if step == nil || step.Output() == nil {
		return nil, nil
	}
	fits := func(v workflow.Value) bool {
		return slices.ContainsFunc(step.Output().Resolved().Properties, func(p *ir.Property) bool {
			boolean := p.Schema.Kind == ir.SchemaBoolean && (v.JSON() == "true" || v.JSON() == "false")
			return p.Name.Value == sample.Access.Path[0].Name.Value && (boolean || slices.Contains(p.Schema.Enum, v.JSON()))
		})
	}

	return step, slices.DeleteFunc(slices.Clone(sample.Values), func(v workflow.Value) bool { return !fits(v) })
}

// way adds to a step of a path with which values a condition is the first that holds, or why no
// script can say so. Without conditions something else decides.
func (w *workTexts) way(s Step, why string, conditions []ir.Expression, number int) Step {
	picks, isKnown := w.picks(conditions, number)
	if !isKnown || conditions == nil {
		s.open = why
		return s
	}
	s.picks = picks

	return s
}
