package schemadoc

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// checkNames reports what would become the same Go identifier, at the later place: properties of one object, values of
// one enum, and the types of nested schemas.
func (l *lowerer) checkNames(s *ir.Schema) {
	for _, c := range names.SchemaCollisions(s) {
		d := l.report(diag.DuplicateName, c.Second.Span, "%s", c.Problem())
		if c.First.Span.IsValid() {
			d.Note(c.First.Span, "the first is here")
		}
	}
}
