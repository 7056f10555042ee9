package can

import (
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// requiredValue is a value that a conversation has to return in a field, so that a run takes a
// case.
type requiredValue struct {
	step  *ir.Step
	field string
	value json.RawMessage
}

// maxPicks bounds the combinations of values that are tried for a case.
const maxPicks = 4096

// findRequiredValues returns values with which condition number is the first that holds, or no
// condition if number is their count. ok is false if the result depends on anything else than
// fields with few values of the workflow's conversations.
func (w *workTexts) findRequiredValues(conditions []ir.Expression, number int) (picks []requiredValue, ok bool) {
	samples := expr.Samples(conditions, nil)
	steps := make([]*ir.Step, len(samples))
	combinations := 1
	for i, sample := range samples {
		step, values := w.decidingConversation(sample)
		if len(values) == 0 {
			return nil, false
		}
		steps[i], sample.Values = step, values
		combinations *= len(values)
		if combinations > maxPicks {
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
			picks = append(picks, requiredValue{steps[i], sample.Access.Path[0].Name.Value, json.RawMessage(value.JSON())})
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

// decidingConversation returns the conversation that decides the value of a name, and the values
// that fit its schema; nil if there is none.
func (w *workTexts) decidingConversation(sample *expr.Sample) (*ir.Step, []workflow.Value) {
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

// requireCase adds to a step the values with which a condition is the first that holds, or the
// reason why no script can select it. Without conditions something else decides.
func (w *workTexts) requireCase(s Step, why string, conditions []ir.Expression, number int) Step {
	picks, isKnown := w.findRequiredValues(conditions, number)
	if !isKnown || conditions == nil {
		s.openReason = why
		return s
	}
	s.required = picks

	return s
}
