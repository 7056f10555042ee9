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

// machineFields are the fields of an fsm, and of a react agent with a gate, that make a machine that others drive.
var machineFields = []string{"signals", "access", "timers", "on_enter", "on_exit", "migrate"}

// fieldsNotYet reports the fields of an agent whose pattern is built that are not. A field of another pattern is a
// finding of the schema.
func (l *loader) fieldsNotYet(d *document) {
	fields := []string{"budget"}
	switch d.pattern {
	case "react":
		fields = append(fields, "gate")
		if d.head.Get("gate") != nil {
			fields = append(fields, machineFields...)
		}
	case "fsm":
		fields = append(fields, machineFields...)
	}
	for _, name := range fields {
		if f := d.head.Get(name); f != nil && !f.Value.IsNull() {
			l.notYet(f.Key.Span, "field %q", name)
		}
	}
}
