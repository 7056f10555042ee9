package agentmd

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/source"
)

// notYet reports that what stands at span is specified and not built.
func (l *loader) notYet(span source.Span, format string, args ...any) *diag.Diagnostic {
	d := diag.New(diag.NotYet, span, format+" is not built in this version of agentc", args...)
	l.list.Add(d)

	return d
}
