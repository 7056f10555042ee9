package statemachine

import (
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// fields are fields of the context that steps write.
type fields struct {
	names map[string]bool
	// own are those that a step of their name writes: they are there when the step has run.
	own map[string]bool
	// open says that there may be others, which only the run tells.
	open bool
}

func newFields() fields { return fields{names: map[string]bool{}, own: map[string]bool{}} }

// writesTo takes the field that a place in the context lies in. always says that it is written whenever the step runs.
func (s *step) writesTo(p *ir.ContextPath, always bool) {
	if p != nil && len(p.Path) > 0 {
		s.writesField(p.Path[0].Value, always)
	}
}

// writesMembers takes the fields of an object that is merged into the context. What is no object is not merged.
func (s *step) writesMembers(t ir.Type) {
	if t.Schema == nil || t.Schema.Kind == ir.SchemaAny {
		s.written.open = true
		return
	}
	s.written.open = s.written.open || t.Schema.Additional != nil
	for _, p := range t.Schema.Properties {
		s.writesField(p.Name.Value, p.Required)
	}
}

func (s *step) writesField(name string, always bool) {
	s.written.names[name] = true
	if always && name == s.task.Name.Value {
		s.written.own[name] = true
	}
}

// writes takes which fields of the context the step writes.
func (s *step) writes() {
	s.writesTo(s.task.SinkTo, true)
	do, isImport := s.task.Do.(*ir.Import)
	switch {
	case s.task.Do == nil:
		s.written.open = true // nobody knows what was meant
	case !s.task.UpdatesContext:
	case !isImport:
		s.writesMembers(givenBy(s.task))
	case do.All:
		s.written.open = true
	default:
		for _, output := range do.Outputs {
			s.writesTo(output.Parent, false) // if the child has it
		}
	}
}

// builtinWrites takes which fields context_set and context_merge write.
func (s *step) builtinWrites(do *ir.UseBuiltin, value *yamldoc.Node) {
	switch {
	case do.Builtin == builtin.ContextGet:
	case do.Path == nil:
		s.written.open = true
	case len(do.Path.Path) > 0:
		s.writesTo(do.Path, true)
	case value != nil:
		s.writesMembers(typeInside(value))
	default:
		s.writesMembers(s.data)
	}
}
