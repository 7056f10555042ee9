package statemachine

import (
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// nextStates finds, for each state of a machine, which states its steps may name as the next one.
func (b *builder) nextStates(m *machine) {
	reported := map[source.Span]bool{}
	for _, state := range m.machine.States {
		if state.End {
			continue
		}
		w := b.writesOf(state.Body)
		state.NextOpen = w.open
		for _, next := range w.names {
			ref := ir.Ref{Text: next.Text, State: m.states[next.Value]}
			if !slices.Contains(state.Next, ref) {
				state.Next = append(state.Next, ref)
			}
			if ref.State == nil && len(m.states) > 0 && !reported[next.place()] {
				reported[next.place()] = true
				m.report(m.dangling(next))
			}
		}
	}
}

// dangling is the diagnostic for a next_state that is not a state of the machine.
func (m *machine) dangling(next nextName) *diag.Diagnostic {
	if next.through.Value != "" {
		return diag.New(diag.DanglingNextState, next.through.Span, "%s sets next_state %q, which names no state of machine %q",
			next.through.Value, next.Value, m.name()).
			Note(next.Span, "it is set here").Note(source.Span{}, "the states are %s", listed(m.names()))
	}

	return diag.New(diag.DanglingNextState, next.Span, "next_state %q names no state of machine %q", next.Value, m.name()).
		Suggest(next.Value, m.names()).Note(source.Span{}, "the states are %s", listed(m.names()))
}

// writes are the values of next_state that steps write, or answer with.
type writes struct {
	builder *builder
	names   []nextName
	// open says that there may be others, which only the run shows.
	open bool
}

// nextName is a value of next_state that is in the source.
type nextName struct {
	ir.Text
	// through is the import whose steps write it; the zero Text for what the workflow writes itself.
	through ir.Text
}

// place is where the workflow itself says so.
func (n nextName) place() source.Span {
	if n.through.Value != "" {
		return n.through.Span
	}

	return n.Span
}

func (b *builder) writesOf(p *ir.Pipeline) writes {
	w := writes{builder: b}
	w.pipeline(p)

	return w
}

// any reports whether the steps may set a next_state at all.
func (w *writes) any() bool { return w.open || len(w.names) > 0 }

func (w *writes) add(text ir.Text) { w.names = append(w.names, nextName{Text: text}) }

// pipeline goes through the steps of a pipeline, but not into a machine among them, which has a next_state of its own.
func (w *writes) pipeline(p *ir.Pipeline) {
	for _, t := range p.Tasks {
		for ; t != nil; t = t.Fallback {
			w.task(t)
			if _, isMachine := t.Do.(*ir.Machine); isMachine {
				continue
			}
			for _, inside := range t.Pipelines() {
				w.pipeline(inside)
			}
		}
	}
}

func (w *writes) task(t *ir.Task) {
	imported, isImport := t.Do.(*ir.Import)
	if isImport && imported.All {
		w.imported(imported)
	}
	for _, write := range t.Writes() {
		switch {
		case write.Path == nil:
			w.open = w.open || !isImport
		case write.Path == t.SinkTo: // which is the output
		case isNextState(write.Path):
			w.value(given{write.Value, write.Schema})
		case write.Value != nil && write.Merge && len(write.Path.Path) == 0:
			w.member(given{datum: write.Value})
		}
	}
	machine, isMachine := t.Do.(*ir.Machine)
	switch {
	case t.Do == nil:
		w.open = true // what was meant is not known
	case isNextState(t.SinkTo):
		w.value(givenOn(t))
	case isMachine:
		w.lastOutputs(machine)
	case !handsOn(t):
		w.member(givenOn(t))
	}
}

// lastOutputs takes the outputs with which a machine can end: those of the last steps of its states.
func (w *writes) lastOutputs(m *ir.Machine) {
	for _, s := range m.States {
		if s.End {
			continue
		}
		last := s.Body.Last()
		if len(last) == 0 {
			w.open = true // it is what the machine was given
			return
		}
		for _, t := range last {
			inner, isMachine := t.Do.(*ir.Machine)
			switch {
			case isMachine:
				w.lastOutputs(inner)
			case handsOn(t):
				w.open = true
			default:
				w.member(givenOn(t))
			}
		}
	}
}

// handsOn reports whether the output of a step is that of steps inside of it, which are looked at themselves.
func handsOn(t *ir.Task) bool {
	switch do := t.Do.(type) {
	case *ir.Branch, *ir.Parallel:
		return true
	case *ir.Loop:
		return !do.Each()
	}

	return false
}

func isNextState(p *ir.ContextPath) bool {
	return p != nil && p.Routes() && p.Path[0].Value == ir.NextState
}

// imported takes what the steps of an import write, whose whole context is copied.
func (w *writes) imported(do *ir.Import) {
	child := w.builder.set.byPath[do.Agent.Agent.File.Path]
	w.open = w.open || child.stage != lowered || child.next.open ||
		do.InputTo != ir.InputToPrompt // what it is given may have one
	for _, next := range child.next.names {
		w.names = append(w.names, nextName{Text: next.Text, through: do.Agent.Text})
	}
}

// given is a value that a step gives on: as it is written in the source, and what a schema says of it. Nothing is known of the zero
// value.
type given struct {
	datum  *ir.Datum
	schema *ir.Schema
}

// givenOn is the output of a step.
func givenOn(t *ir.Task) given {
	if _, passes := t.Do.(*ir.PassOn); passes && t.Input != nil {
		return given{t.Input, t.Type.Schema}
	}

	return given{schema: t.Type.Schema}
}

// member takes the field next_state of a value.
func (w *writes) member(v given) {
	s := v.schema
	switch {
	case v.datum != nil && v.datum.Kind == ir.DatumFields:
		if next := ir.FieldOf(v.datum.Fields, ir.NextState); next != nil {
			w.value(given{datum: next})
		}
	case s == nil || s.Kind == ir.SchemaAny || s.Kind == ir.SchemaUnion:
		w.open = true
	case s.Kind == ir.SchemaObject:
		if next := s.Property(ir.NextState); next != nil {
			w.value(given{schema: next.Schema})
		} else {
			w.open = w.open || s.Additional != nil
		}
	}
}

// value takes a value as the name of a state.
func (w *writes) value(v given) {
	d, s := v.datum, v.schema
	if d != nil && d.Kind == ir.DatumText {
		if text, constant := d.Text.Constant(); constant {
			w.add(ir.Text{Value: text, Span: d.Span})
			return
		}
	}
	switch {
	case d != nil && d.Kind == ir.DatumJSON && d.JSON == "null": // clears it
	case d != nil || s == nil || s.Enum == nil && (s.Kind == ir.SchemaString || s.Kind == ir.SchemaAny):
		w.open = true
	case s.Kind == ir.SchemaString:
		for i, value := range s.Enum {
			text := ir.Text{Span: s.Span}
			if i < len(s.EnumAt) {
				text.Span = s.EnumAt[i]
			}
			if json.Unmarshal([]byte(value), &text.Value) == nil {
				w.add(text)
			}
		}
	}
}
