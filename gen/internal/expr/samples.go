package expr

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
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
	// by has the leaves of the conditions.
	by *variable
}

// RestrictTo returns those of Values that represent the values of a schema: that of a value which
// is written to the name. There are none if no such value fits the name.
func (s *Sample) RestrictTo(schema *ir.Schema) []workflow.Value {
	if s.IsExact {
		kinds := builtin.KindsOf(schema)
		return ir.Where(s.Values, func(value workflow.Value) bool { return builtin.KindOf(value)&kinds != 0 })
	}
	access := *s.Access
	access.Type.Schema, access.MayBeNone = schema, false
	inner := *s.by
	inner.x = &access
	isThere := map[string]bool{}
	for _, value := range inner.sampleValues() {
		isThere[s.by.findCase(value)] = true
	}

	return ir.Where(s.Values, func(value workflow.Value) bool { return isThere[s.by.findCase(value)] })
}

// IsAlone reports whether the conditions distinguish a value from all others of the name.
func (s *Sample) IsAlone(value workflow.Value) bool {
	others := ir.Where(s.by.sampleValues(), func(other workflow.Value) bool { return other.JSON() != value.JSON() })

	return !slices.ContainsFunc(others, func(other workflow.Value) bool { return s.by.findCase(other) == s.by.findCase(value) })
}

// FindAlike returns the one of Values that the conditions do not distinguish from a value; isKnown
// is false if there is none.
func (s *Sample) FindAlike(value workflow.Value) (alike workflow.Value, isKnown bool) {
	if s.IsExact {
		return workflow.Value{}, false
	}
	i := slices.IndexFunc(s.Values, func(v workflow.Value) bool { return s.by.findCase(v) == s.by.findCase(value) })
	if i < 0 {
		return workflow.Value{}, false
	}

	return s.Values[i], true
}

// Samples returns the names of the context and of step outputs that conditions compare with
// constants and read in no other way, in reading order. Names with few values in their schema may
// be read in any way. The conditions on a copy distinguish the values of its source, too; sources
// returns the sources of a name, and may be nil.
func Samples(conditions []ir.Expression, sources func(*ir.Access) []*ir.Access) []*Sample {
	all, otherwise := variables{byName: map[string]*variable{}}, map[string]bool{}
	for _, condition := range conditions {
		for _, leaf := range Parts(condition) {
			bare := withoutDefault(leaf)
			subject, constants := SubjectOf(bare)
			access, isName := subject.(*ir.Access)
			if !isName {
				ir.WalkAccesses(leaf, func(access *ir.Access) {
					otherwise[NameOf(access)] = otherwise[NameOf(access)] || !hasFewValues(access)
				})
				continue
			}
			all.addLeaf(access, bare, constants)
		}
	}
	if sources != nil {
		all.addLeavesOfCopies(sources)
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

// withoutDefault returns a comparison of a name that has a default as one without it. Both have the
// same result for a value that is there. That of a missing one is not known, see constantsOnly.
func withoutDefault(leaf ir.Expression) ir.Expression {
	bare := func(x ir.Expression) ir.Expression {
		access, isAccess := x.(*ir.Access)
		if !isAccess || access.Default == nil {
			return x
		}
		without := *access
		without.Default = nil

		return &without
	}
	switch leaf := leaf.(type) {
	case *ir.Compare:
		compare := *leaf
		compare.X, compare.Y = bare(leaf.X), bare(leaf.Y)
		return &compare
	case *ir.Contains:
		contains := *leaf
		contains.X = bare(leaf.X)
		return &contains
	}

	return bare(leaf)
}

// toSample returns the values of a name that the leaves distinguish.
func (v *variable) toSample(access *ir.Access) *Sample {
	if hasFewValues(access) {
		// Other reads may distinguish more values.
		return &Sample{Access: access, Values: v.sampleValues(), IsExact: true}
	}
	s := &Sample{Access: access, by: v}
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
