package expr

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// Sample is a name that conditions read, with values of which each represents one that it can have,
// as far as the conditions distinguish them.
type Sample struct {
	Access *ir.Access
	Values []workflow.Value
	// Alike are, for each of Values, values that conditions do not distinguish from it, itself among them: of each text that
	// conditions compare with, and of other texts, one at least. They are nil where conditions ask for the order of texts.
	Alike [][]workflow.Value
	// IsExact says that Values are all values that the name can have.
	IsExact bool
}

// Samples returns the names of the context and of outputs of steps that conditions compare with
// constants and read in no other way, in the order in which they are read. Of a name that has few
// values by its schema it does not matter how it is read.
func Samples(conditions []ir.Expression) []*Sample {
	all, otherwise := variables{byName: map[string]*variable{}}, map[string]bool{}
	for _, condition := range conditions {
		for _, leaf := range Parts(condition) {
			subject, constants := About(leaf)
			access, isName := subject.(*ir.Access)
			if !isName {
				ir.WalkAccesses(leaf, func(access *ir.Access) {
					otherwise[NameOf(access)] = otherwise[NameOf(access)] || !isFew(access)
				})
				continue
			}
			all.meet(access, leaf, constants)
		}
	}
	var samples []*Sample
	for _, v := range all.inOrder {
		access := v.x.(*ir.Access)
		if root := access.Root; (root == ir.RootContext || root == ir.RootStep) && !otherwise[NameOf(access)] && !v.tangled() {
			samples = append(samples, v.sample(access))
		}
	}

	return samples
}

// sample returns the values of a name that leaves distinguish.
func (v *variable) sample(access *ir.Access) *Sample {
	if isFew(access) {
		return &Sample{Access: access, Values: v.values(), IsExact: true} // how it is read elsewhere distinguishes more of them
	}
	s := &Sample{Access: access}
	s.Values, _ = v.cases()
	if !v.orderedTexts {
		s.Alike = v.alike()
	}

	return s
}

// isFew reports whether a name has few values by its schema.
func isFew(x *ir.Access) bool {
	s := x.Type.Schema

	return s != nil && (s.Enum != nil || s.Kind == ir.SchemaBoolean)
}

// Constants returns the values of an enum, and true and false for a schema that takes these alone;
// nil for any other one.
func Constants(s *ir.Schema) []workflow.Value {
	var values []workflow.Value
	switch {
	case s == nil:
		return nil
	case s.Enum != nil:
		values = enumerated(s)
	case s.Kind == ir.SchemaBoolean:
		values = []workflow.Value{workflow.Of(true), workflow.Of(false)}
	}
	if values != nil && s.Nullable && !slices.ContainsFunc(values, workflow.Value.IsNone) {
		values = append(values, workflow.Value{})
	}

	return values
}
