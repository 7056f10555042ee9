package simulate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// personReply is an answer of a person.
type personReply struct {
	// texts are the answers in a script. The last of them fits.
	texts []string
	// value is the value with which the run continues. Answers that nothing distinguishes have the
	// same value.
	value workflow.Value
	// kind and name identify the case of the question. kind is empty if it has no cases.
	kind CaseKind
	name string
}

// maxChoices bounds the answers of a question that are cases.
const maxChoices = 16

// answerChoices returns the answers that a schema offers: each value of an enum or a boolean, or
// one answer for each such value of a property of an object. It is empty if any text fits.
func answerChoices(s *ir.Schema) []workflow.Value {
	if s == nil {
		return nil
	}
	all := expr.Constants(s)
	base, ok := smallestValue(s, "text")
	if ok && s.Kind == ir.SchemaObject {
		for _, p := range s.Properties {
			for _, value := range expr.Constants(p.Schema) {
				if changed, err := base.Set([]string{p.Name.Value}, value); err == nil {
					all = append(all, changed)
				}
			}
		}
	}
	all = uniqueValues(onlyFitting(s, all))

	return all[:min(len(all), maxChoices)]
}

// unfitText returns a text that does not fit a schema; ok is false if every text fits.
func unfitText(s *ir.Schema) (text string, ok bool) {
	if s == nil {
		return "", false
	}
	for _, text := range []string{"Something else.", "0", "{}"} {
		if !sample.Fits(s, parseValue(text).JSON()) && !sample.Fits(s, workflow.Text(text).JSON()) {
			return text, true
		}
	}

	return "", false
}

// personReplies returns the possible answers to a question: at least one for each difference that
// conditions make, and one for each case.
func (c *candidates) personReplies(t *ir.Task, schema *ir.Schema) []personReply {
	known, isKnown := c.repliesByTask[t]
	if isKnown {
		return known
	}
	values, choices := c.values(t, schema, yesAnswer), answerChoices(schema)
	all := ir.Map(values, func(v workflow.Value) personReply {
		r := personReply{texts: []string{sayTurn(v).Say}, value: v}
		if slices.ContainsFunc(choices, func(choice workflow.Value) bool { return choice.JSON() == v.JSON() }) {
			r.kind, r.name = CaseAnswer, v.JSON()
		}
		return r
	})
	for _, choice := range choices {
		if slices.ContainsFunc(all, func(r personReply) bool { return r.name == choice.JSON() }) {
			continue
		}
		like := slices.IndexFunc(values, func(v workflow.Value) bool { return c.isIndistinguishable(schema, v, choice, "", outputName(t.Output)) })
		value := choice
		if like >= 0 && !writesContext(t) {
			value = values[like]
		}
		all = append(all, personReply{texts: []string{sayTurn(choice).Say}, value: value, kind: CaseAnswer, name: choice.JSON()})
	}
	if unfit, canBeUnfit := unfitText(schema); canBeUnfit && len(values) > 0 {
		all = append(all, personReply{texts: []string{unfit, sayTurn(values[0]).Say}, value: values[0], kind: CaseRefusedAnswer})
	}
	c.repliesByTask[t] = all

	return all
}

// writesContext reports whether a step stores its output in the context, whose schema may distinguish
// values that no condition does.
func writesContext(t *ir.Task) bool { return t.MergesOutput() || t.SinkTo != nil }

// isIndistinguishable reports whether no condition distinguishes two values of a schema. names are
// the names by which conditions read them.
func (c *candidates) isIndistinguishable(s *ir.Schema, v, other workflow.Value, names ...string) bool {
	if s != nil && s.Kind == ir.SchemaObject {
		return !slices.ContainsFunc(s.Properties, func(p *ir.Property) bool {
			name := p.Name.Value
			return v.Has(name) != other.Has(name) || !c.isIndistinguishable(p.Schema, v.Get(name), other.Get(name), name)
		})
	}
	q := c.questionAbout(names...)

	return q.verdicts(v) == q.verdicts(other)
}
