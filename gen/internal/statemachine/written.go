package statemachine

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// fields are fields of the context that steps write.
type fields struct {
	names map[string]bool
	// own are those that a step of their name writes: they are there when the step has run.
	own map[string]bool
	// open says that there may be others, which only the run shows.
	open bool
}

func newFields() fields { return fields{names: map[string]bool{}, own: map[string]bool{}} }

// writes takes which fields of the context the step writes.
func (s *step) writes() {
	s.written.open = s.written.open || s.task.Do == nil // what was meant is not known
	_, isImport := s.task.Do.(*ir.Import)
	for _, w := range s.task.Writes() {
		switch {
		case w.Path == nil:
			s.written.open = true
		case len(w.Path.Path) > 0:
			s.writesField(w.Path.Path[0].Value, !isImport || w.Path == s.task.SinkTo) // an import may lack what is copied
		case w.At == s.task.UpdatesAt:
			s.writesMembers(givenBy(s.task).Schema)
		default:
			s.writesMembers(w.Schema)
		}
	}
}

// writesMembers takes the fields of an object that is merged into the context. Anything but an object is not merged.
func (s *step) writesMembers(of *ir.Schema) {
	if of == nil || of.Kind == ir.SchemaAny {
		s.written.open = true
		return
	}
	s.written.open = s.written.open || of.Additional != nil
	for _, p := range of.Properties {
		s.writesField(p.Name.Value, p.Required)
	}
}

// writesField takes a field; always says that it is written whenever the step runs.
func (s *step) writesField(name string, always bool) {
	s.written.names[name] = true
	if always && name == s.task.Name.Value {
		s.written.own[name] = true
	}
}
