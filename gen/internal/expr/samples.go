package expr

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// Sample is a name that conditions read, with one value for each group of its values that the
// conditions distinguish.
type Sample struct {
	Access *ir.Access
	Values []workflow.Value
	// Alike has, for each of Values, the values that conditions do not distinguish from it: itself,
	// the texts that conditions compare with, and at least one other text. It is nil if conditions
	// order texts.
	Alike [][]workflow.Value
	// IsExact is true if Values are all values of the name.
	IsExact bool
}

// Samples returns the names of the context and of step outputs that conditions compare with
// constants and read in no other way, in reading order. Names with few values in their schema may
// be read in any way.
func Samples(conditions []ir.Expression) []*Sample {
	all, otherwise := variables{byName: map[string]*variable{}}, map[string]bool{}
	for _, condition := range conditions {
		for _, leaf := range Parts(condition) {
			subject, constants := SubjectOf(leaf)
			access, isName := subject.(*ir.Access)
			if !isName {
				ir.WalkAccesses(leaf, func(access *ir.Access) {
					otherwise[NameOf(access)] = otherwise[NameOf(access)] || !hasFewValues(access)
				})
				continue
			}
			all.addLeaf(access, leaf, constants)
		}
	}
	var samples []*Sample
	for _, v := range all.inOrder {
		access := v.x.(*ir.Access)
		root := access.Root
		isOfWorkflow := root == ir.RootContext || root == ir.RootStep
		if isOfWorkflow && !otherwise[NameOf(access)] && !v.isTangled() {
			samples = append(samples, v.toSample(access))
		}
	}

	return samples
}

// toSample returns the values of a name that the leaves distinguish.
func (v *variable) toSample(access *ir.Access) *Sample {
	if hasFewValues(access) {
		// Other reads may distinguish more values.
		return &Sample{Access: access, Values: v.sampleValues(), IsExact: true}
	}
	s := &Sample{Access: access}
	s.Values, _ = v.distinctCases()
	if !v.orderedTexts {
		s.Alike = v.groupAlike()
	}

	return s
}

// hasFewValues reports whether the schema of a name allows only a few values.
func hasFewValues(x *ir.Access) bool {
	s := x.Type.Schema

	return s != nil && (s.Enum != nil || s.Kind == ir.SchemaBoolean)
}

// Constants returns the values of an enum or a boolean schema, or nil.
func Constants(s *ir.Schema) []workflow.Value {
	var values []workflow.Value
	switch {
	case s == nil:
		return nil
	case s.Enum != nil:
		values = enumValues(s)
	case s.Kind == ir.SchemaBoolean:
		values = []workflow.Value{workflow.Of(true), workflow.Of(false)}
	}
	if values != nil && s.Nullable && !slices.ContainsFunc(values, workflow.Value.IsNone) {
		values = append(values, workflow.Value{})
	}

	return values
}
