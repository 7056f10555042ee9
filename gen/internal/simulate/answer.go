package simulate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// reply is what a person can answer.
type reply struct {
	// said are the answers that a script has, of which the last one fits.
	said []string
	// value is what the run continues with. Of answers that nothing distinguishes, it is the same.
	value workflow.Value
	// kind and name are those of the case of the question; kind is empty where it has none.
	kind CaseKind
	name string
}

// mostChoices bounds the answers of a question that are cases.
const mostChoices = 16

// choicesOf returns the answers that a schema offers: each value of an enum or a boolean, or one
// for each that a property of an object can have. There are none where any text fits.
func choicesOf(s *ir.Schema) []workflow.Value {
	if s == nil {
		return nil
	}
	all := expr.Constants(s)
	base, ok := plain(s, "text")
	if ok && s.Kind == ir.SchemaObject {
		for _, p := range s.Properties {
			for _, value := range expr.Constants(p.Schema) {
				if changed, err := base.Set([]string{p.Name.Value}, value); err == nil {
					all = append(all, changed)
				}
			}
		}
	}
	all = distinct(fits(s, all))

	return all[:min(len(all), mostChoices)]
}

// unfitFor returns what a person can say that does not fit a schema; ok is false if anything does.
func unfitFor(s *ir.Schema) (text string, ok bool) {
	if s == nil {
		return "", false
	}
	for _, text := range []string{"Something else.", "0", "{}"} {
		if !sample.Fits(s, parsed(text).JSON()) && !sample.Fits(s, workflow.Text(text).JSON()) {
			return text, true
		}
	}

	return "", false
}

// replies returns what a person can answer to a question. There is at least one that makes each
// difference, and one for each case.
func (c *candidates) replies(t *ir.Task, schema *ir.Schema) []reply {
	known, isKnown := c.replied[t]
	if isKnown {
		return known
	}
	values, choices := c.values(t, schema, saidYes), choicesOf(schema)
	all := ir.Map(values, func(v workflow.Value) reply {
		r := reply{said: []string{said(v).Say}, value: v}
		if slices.ContainsFunc(choices, func(choice workflow.Value) bool { return choice.JSON() == v.JSON() }) {
			r.kind, r.name = CaseAnswer, v.JSON()
		}
		return r
	})
	for _, choice := range choices {
		if slices.ContainsFunc(all, func(r reply) bool { return r.name == choice.JSON() }) {
			continue
		}
		like := slices.IndexFunc(values, func(v workflow.Value) bool { return c.isAlike(schema, v, choice, ofOutput(t.Output)) })
		value := choice
		if like >= 0 {
			value = values[like]
		}
		all = append(all, reply{said: []string{said(choice).Say}, value: value, kind: CaseAnswer, name: choice.JSON()})
	}
	if unfit, canBeUnfit := unfitFor(schema); canBeUnfit && len(values) > 0 {
		all = append(all, reply{said: []string{unfit, said(values[0]).Say}, value: values[0], kind: CaseRefusedAnswer})
	}
	c.replied[t] = all

	return all
}

// isAlike reports whether no condition distinguishes two values of a schema that are asked for by
// some names.
func (c *candidates) isAlike(s *ir.Schema, v, other workflow.Value, names ...string) bool {
	if s != nil && s.Kind == ir.SchemaObject {
		return !slices.ContainsFunc(s.Properties, func(p *ir.Property) bool {
			name := p.Name.Value
			return v.Has(name) != other.Has(name) || !c.isAlike(p.Schema, v.Get(name), other.Get(name), name)
		})
	}
	q := c.asked(names...)

	return q.verdicts(v) == q.verdicts(other)
}
