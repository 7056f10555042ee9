package statemachine

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// leaveOutMissing marks the fields of mappings that are left out where their values are missing, as the
// schemas of what receives the mappings say. These schemas are known when all workflows are lowered.
func (s *Set) leaveOutMissing() {
	for _, d := range s.documents {
		w, isWorkflow := ir.WorkflowOf(d.agent.Node)
		if !isWorkflow {
			continue
		}
		ir.WalkTasks(w.Body, func(t *ir.Task) { leaveOutInTask(t, w.Context) })
	}
}

// leaveOutInTask marks the fields of the mappings that a task gives away. A fallback without an input
// has that of its step, and then one of its own, as its receiver may have another schema.
func leaveOutInTask(t *ir.Task, context *ir.Schema) {
	written := t.Input
	leaveOutFields(t, context)
	if t.Fallback == nil || t.Fallback.Input != nil {
		return
	}
	t.Fallback.Input = written
	leaveOutFields(t.Fallback, context)
	if !t.Input.LeavesOutMissing() && !t.Fallback.Input.LeavesOutMissing() {
		t.Fallback.Input = nil
	}
}

// leaveOutFields marks the fields of the mappings that a task itself gives away.
func leaveOutFields(t *ir.Task, context *ir.Schema) {
	switch do := t.Do.(type) {
	case *ir.UseFunc:
		t.Input, do.Params = t.Input.ForReceiver(do.Func.Input), do.Params.ForReceiver(do.Func.Input)
		do.Fields = do.Fields.ForReceiver(do.Func.Context)
	case *ir.Run:
		t.Input = t.Input.ForReceiver(do.Agent.InputSchema())
	case *ir.Import:
		if do.InputTo != ir.InputToContext {
			t.Input = t.Input.ForReceiver(do.Agent.InputSchema())
		}
		if do.InputTo != ir.InputToPrompt {
			t.Input = t.Input.ForMerge(do.Agent.ContextSchema())
		}
	case *ir.PassOn:
		if t.Part == ir.PartState {
			t.Input = t.Input.ForReceiver(t.Type.Schema)
			return
		}
		for _, w := range t.ContextWrites() {
			t.Input = forWrite(t.Input, w, context)
		}
		markOptional(t.Type.Schema, t.Input)
	case *ir.UseBuiltin:
		for _, w := range t.ContextWrites() {
			value := ir.FieldOf(do.Args, do.Data)
			if w.IsOutput || value == nil {
				continue
			}
			do.Args = setField(do.Args, do.Data, forWrite(value, w, context))
			markOptional(do.Value, ir.FieldOf(do.Args, do.Data))
		}
	case *ir.Machine, *ir.Branch, *ir.Loop, *ir.Parallel, *ir.Ask, *ir.Return, *ir.Receive: // their input has no schema
	}
}

// forWrite returns data as it is written to the context.
func forWrite(d *ir.Datum, w ir.ContextWrite, context *ir.Schema) *ir.Datum {
	if w.Path == nil || context == nil {
		return d
	}
	field := context.FieldSchema(w.Path.Path)
	if w.Merge {
		return d.ForMerge(field)
	}

	return d.ForReceiver(field)
}

// setField returns fields with another value of one of them.
func setField(fields []ir.DatumField, name string, value *ir.Datum) []ir.DatumField {
	changed := slices.Clone(fields)
	at := slices.IndexFunc(changed, func(f ir.DatumField) bool { return f.Name.Value == name })
	changed[at].Value = value

	return changed
}

// markOptional makes the properties of the type of a mapping optional whose fields may be left out.
func markOptional(schema *ir.Schema, d *ir.Datum) {
	if schema == nil || d == nil {
		return
	}
	for _, f := range d.Fields {
		p := schema.Property(f.Name.Value)
		if p == nil {
			continue
		}
		p.Required = p.Required && !f.Optional
		markOptional(p.Schema, f.Value)
	}
}
