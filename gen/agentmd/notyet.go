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

// fieldNotYet reports the field of an agent that is not built.
func (l *loader) fieldNotYet(d *document) {
	if f := d.head.Get("budget"); f != nil && !f.Value.IsNull() {
		l.notYet(f.Key.Span, "field %q", f.Key.Text)
	}
}
