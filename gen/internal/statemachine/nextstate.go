package statemachine

import (
	"encoding/json"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// findNextStates finds the states that the steps of each state may name as the next one. A value
// that names no state is one problem, through however many imports it comes.
func (b *builder) findNextStates(m *machine) {
	reported := map[ir.Text]*diag.Diagnostic{}
	imported := map[source.Span]bool{}
	for _, state := range m.machine.States {
		if state.End {
			continue
		}
		w := b.nextStatesOf(state.Body)
		state.NextOpen = w.open
		for _, next := range w.names {
			ref := ir.Ref{Text: next.Text, State: m.states[next.Value]}
			if !slices.Contains(state.Next, ref) {
				state.Next = append(state.Next, ref)
			}
			if ref.State != nil || len(m.states) == 0 {
				continue
			}
			known, through := reported[next.Text], next.through
			switch {
			case known == nil:
				reported[next.Text] = m.danglingDiagnostic(next)
				m.report(reported[next.Text])
			case through.Value != "" && !imported[through.Span]:
				known.Note(through.Span, "%s sets it, too", through.Value)
			}
			imported[through.Span] = true
		}
	}
}

// danglingDiagnostic describes a next_state that is not a state of the machine.
func (m *machine) danglingDiagnostic(next nextName) *diag.Diagnostic {
	if next.through.Value != "" {
		return diag.New(diag.DanglingNextState, next.through.Span, "%s sets next_state %q, which names no state of machine %q",
			next.through.Value, next.Value, m.name()).
			Note(next.Span, "it is set here").Note(source.Span{}, "the states are %s", joinNames(m.stateNames()))
	}

	return diag.New(diag.DanglingNextState, next.Span, "next_state %q names no state of machine %q", next.Value, m.name()).
		Suggest(next.Value, m.stateNames()).Note(source.Span{}, "the states are %s", joinNames(m.stateNames()))
}

// nextStates are the values of next_state that steps write or return.
type nextStates struct {
	builder *builder
	names   []nextName
	// open is true if there may be other values, which are only known at run time.
	open bool
}

// nextName is a value of next_state in the source.
type nextName struct {
	ir.Text
	// through is the import that writes it, or the zero Text.
	through ir.Text
}

func (b *builder) nextStatesOf(p *ir.Pipeline) nextStates {
	w := nextStates{builder: b}
	w.addPipeline(p)

	return w
}

// hasAny reports whether the steps may set a next_state.
func (w *nextStates) hasAny() bool { return w.open || len(w.names) > 0 }

func (w *nextStates) addName(text ir.Text) { w.names = append(w.names, nextName{Text: text}) }

// addPipeline adds the values of a pipeline. It skips nested machines, which have their own
// next_state.
func (w *nextStates) addPipeline(p *ir.Pipeline) {
	for _, t := range p.Tasks {
		for ; t != nil; t = t.Fallback {
			w.addTask(t)
			if _, isMachine := t.Do.(*ir.Machine); isMachine {
				continue
			}
			for _, inside := range t.Pipelines() {
				w.addPipeline(inside)
			}
		}
	}
}

func (w *nextStates) addTask(t *ir.Task) {
	imported, isImport := t.Do.(*ir.Import)
	if isImport && imported.All {
		w.addImported(imported)
	}
	for _, write := range t.ContextWrites() {
		switch {
		case write.Path == nil:
			w.open = w.open || !isImport
		case write.Path == t.SinkTo: // the output, see below
		case isNextState(write.Path):
			w.addValue(passedValue{write.Value, write.Schema})
		case write.Value != nil && write.Merge && len(write.Path.Path) == 0:
			w.addMember(passedValue{datum: write.Value})
		}
	}
	machine, isMachine := t.Do.(*ir.Machine)
	switch {
	case t.Do == nil:
		w.open = true // the operation is unknown after a mistake
	case isNextState(t.SinkTo):
		w.addValue(outputOf(t))
	case isMachine:
		w.addLastOutputs(w.builder.machineOf[machine])
	case !forwardsOutput(t):
		w.addMember(outputOf(t))
	}
}

// addLastOutputs adds the outputs with which a machine can end: those of the last steps of its
// states, or its input where there are none.
func (w *nextStates) addLastOutputs(m *machine) {
	if initial := m.machine.Initial.State; initial == nil || initial.End {
		w.addMember(m.input())
	}
	for _, s := range m.machine.States {
		if s.End {
			continue
		}
		last := s.Body.LastTasks()
		if len(last) == 0 {
			w.addInputOf(m, s)
		}
		for _, t := range last {
			inner, isMachine := t.Do.(*ir.Machine)
			switch {
			case isMachine:
				w.addLastOutputs(w.builder.machineOf[inner])
			case forwardsOutput(t):
				w.open = true
			default:
				w.addMember(outputOf(t))
			}
		}
	}
}

// addInputOf adds the input of a state, which is any value behind a person's answer.
func (w *nextStates) addInputOf(m *machine, s *ir.State) {
	if m.afterPause[s] {
		w.open = true
	} else {
		w.addMember(m.input())
	}
}

// input returns the input of a machine.
func (m *machine) input() passedValue { return passedValue{m.step.task.Input, m.step.data.Schema} }

// forwardsOutput reports whether the output of a step is the output of a nested step.
func forwardsOutput(t *ir.Task) bool {
	switch do := t.Do.(type) {
	case *ir.Branch, *ir.Parallel:
		return true
	case *ir.Loop:
		return !do.IsForEach()
	}

	return t.Part == ir.PartState || t.Part == ir.PartTurn // no step has that output
}

func isNextState(p *ir.ContextPath) bool {
	return p != nil && p.IsRouting() && p.Path[0].Value == ir.NextState
}

// addImported adds the values of an import that copies its whole context.
func (w *nextStates) addImported(do *ir.Import) {
	child := w.builder.set.byPath[do.Agent.Agent.File.Path]
	mayReceive := do.InputTo != ir.InputToPrompt // the input may have a next_state
	w.open = w.open || mayReceive || child.stage != lowered || child.next.open
	for _, next := range child.next.names {
		w.names = append(w.names, nextName{Text: next.Text, through: do.Agent.Text})
	}
}

// passedValue is a value that a step returns: its source and its schema, if they are known.
type passedValue struct {
	datum  *ir.Datum
	schema *ir.Schema
}

// outputOf returns the output of a step.
func outputOf(t *ir.Task) passedValue {
	if _, passes := t.Do.(*ir.PassOn); passes && t.Input != nil {
		return passedValue{t.Input, t.Type.Schema}
	}

	return passedValue{schema: t.Type.Schema}
}

// addMember adds the field next_state of a value.
func (w *nextStates) addMember(v passedValue) {
	s := v.schema
	switch {
	case v.datum != nil && v.datum.Kind == ir.DatumFields:
		if next := ir.FieldOf(v.datum.Fields, ir.NextState); next != nil {
			w.addValue(passedValue{datum: next})
		}
	case s == nil || s.Kind == ir.SchemaAny || s.Kind == ir.SchemaUnion:
		w.open = true
	case s.Kind == ir.SchemaObject:
		if next := s.Property(ir.NextState); next != nil {
			w.addValue(passedValue{schema: next.Schema})
		} else {
			w.open = w.open || s.Additional != nil
		}
	}
}

// addValue adds a value that names a state.
func (w *nextStates) addValue(v passedValue) {
	d, s := v.datum, v.schema
	if d != nil && d.Kind == ir.DatumText {
		if text, constant := d.Text.Constant(); constant {
			w.addName(ir.Text{Value: text, Span: d.Span})
			return
		}
	}
	isOpen := s != nil && s.Enum == nil && (s.Kind == ir.SchemaString || s.Kind == ir.SchemaAny)
	switch {
	case d != nil && d.Kind == ir.DatumJSON && d.JSON == "null": // clears the field
	case d != nil || s == nil || isOpen:
		w.open = true
	case s.Kind == ir.SchemaString:
		for i, value := range s.Enum {
			text := ir.Text{Span: s.Span}
			if i < len(s.EnumAt) {
				text.Span = s.EnumAt[i]
			}
			if json.Unmarshal([]byte(value), &text.Value) == nil {
				w.addName(text)
			}
		}
	}
}
