package validate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Mappings such as the steps of a workflow say themselves what they are, with a field `kind`, and their fields are used by
// some kinds only: x-agentc-kinds.

// kindOf returns the kind of a mapping; known is false if it has none that the schema knows, or a field that was meant to be
// its kind.
func kindOf(s *schema, n *yamldoc.Node) (kind string, known bool) {
	field := s.property("kind")
	if field == nil {
		return "", false
	}
	kinds := field.Enum
	written := n.Value("kind")
	if written == nil {
		return kinds[0], n == nil || !slices.ContainsFunc(n.Fields, func(f *yamldoc.Field) bool {
			_, near := nearField(f.Key.Text, []string{"kind"})
			return near && s.property(f.Key.Text) == nil
		})
	}
	kind, _ = written.Scalar()

	return kind, slices.Contains(kinds, kind)
}

// leftOut reports what the format documents and this language leaves out, with what to use instead. Of a mapping whose kind
// is left out nothing else is said.
func (r *reporter) leftOut(v verdict, instead string) {
	kind, _ := v.at.up.value.Value("kind").Scalar()
	ofKind := v.at.up.schema.find(func(s *schema) *schema { return s.property("kind") })
	if ofKind.insteadOf(kind) == "" {
		r.add(diag.New(diag.UnsupportedStep, v.at.key.Span, "%s is not supported", r.name(v.at)).WithHint("%s", instead))
	}
}

// leftOutValue reports a value that the format documents and this language leaves out.
func (r *reporter) leftOutValue(v verdict, instead string) {
	r.add(diag.New(diag.UnsupportedStep, v.at.value.Span, "%s %q is not supported", v.at.key.Text, v.at.value.Text).
		WithHint("%s", instead))
}
