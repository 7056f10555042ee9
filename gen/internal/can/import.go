package can

import (
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// keptReason is why no script makes a field keep its text behind an import that is to replace it: whether the import has something to
// copy is not known.
const keptReason = "an import may leave the field that it copies to as it is"

// mergedReason is why no script makes a field keep its text when something is merged into it: whether both are objects is not known.
const mergedReason = "an import may replace the field that something is merged into"

// importWorkflow follows facts through a step that runs another workflow, which has a context of its own.
func (w *workTexts) importWorkflow(r *result, t *ir.Task, do *ir.Import, in facts) facts {
	child := func(from fact) *result { return w.analysis.agent(do.Agent.Agent, from) }
	out := facts{}
	inner := func(name fact, at *trace) {
		switch {
		case name == failure:
		case name.isOf(context):
			out.addAll(copiedBack(t, do, name, at))
		case name == value:
			out.add(value, at)
			out.addAll(copiedFromOutput(t, do, at))
		default:
			out.add(name, at)
		}
	}
	// What the whole context of the child is merged into is what the child has made of it, if that began with all of it.
	isReplaced := do.Inherit && do.All && t.UpdatesContext
	r.outcomes(in, []fact{argument}, child, inner, func(name fact, at *trace) {
		switch {
		case isReplaced && name.isOf(context):
		case isCopyTarget(t, do, name):
			out.add(name, at.then(Step{Do: "finish", open: keptReason}))
		default:
			out.add(name, at)
		}
	})
	begin := w.childContext(t, do, in)
	for _, name := range begin.sorted() {
		r.behind(begin[name], child(name), func(_ key, name fact, at *trace) { inner(name, at) })
	}
	if do.OnFailure != ir.FailureAbort {
		for name, at := range in.with(Step{Do: "finish", open: "an import fails"}) {
			if out[name] == nil {
				out.add(name, at)
			}
		}
	}

	return out
}

// childContext returns the facts about the context with which an import begins: that around it if it inherits, and its input if that is
// put there.
func (w *workTexts) childContext(t *ir.Task, do *ir.Import, in facts) facts {
	begin, input := facts{}, w.inputs[t]
	if do.Inherit {
		for name, at := range in {
			if name.isOf(context) {
				begin.add(name, at)
			}
		}
	}
	if do.InputTo == ir.InputToPrompt {
		return begin
	}
	if input != nil && input.Kind == ir.DatumFields {
		return withMembers(begin, input.Fields, in)
	}
	given := do.InputSchema.Resolved()
	if !mayBeObject(given) {
		return begin.write(context.member(do.Key), nil, in[argument])
	}
	begin.add(context.member(do.Key), in[argument])
	if !isPlainObject(given) {
		for _, name := range contextNames(do.Agent.Agent) {
			begin.add(name, in[argument])
		}

		return begin
	}
	for _, p := range given.Properties {
		text := in[argument]
		if input == nil {
			text = in.best([]fact{previous.member(p.Name.Value)})
		}
		begin = begin.overlaid(p, text)
	}

	return begin
}

// overlaid merges a property of an object into a context.
func (f facts) overlaid(p *ir.Property, text *trace) facts {
	if slices.Contains(ir.ContextAliases, p.Name.Value) {
		for _, name := range mergedFields(&ir.Schema{Kind: ir.SchemaObject, Properties: []*ir.Property{p}}) {
			f.add(name, text)
		}
		return f
	}
	to := context.member(p.Name.Value)
	switch {
	case p.Required && !mayBeObject(p.Schema.Resolved()):
		return f.write(to, p.Schema, text)
	case p.Required:
		f = f.merged(to)
	}
	if !closed(p.Schema) {
		f.add(to, text)
	}

	return f
}

// merged returns the facts behind a merge of what may be an object into a field: what is there stays only if both are objects.
func (f facts) merged(to fact) facts {
	out := facts{}
	for name, at := range f {
		if name.isOf(to) {
			at = at.then(Step{Do: "finish", open: mergedReason})
		}
		out[name] = at
	}

	return out
}

// withMembers merges an object that is written in the source into a context.
func withMembers(begin facts, members []ir.DatumField, in facts) facts {
	for _, member := range members {
		to, text := context.member(member.Name.Value), in.best(datumReads(member.Value))
		isAlias := slices.Contains(ir.ContextAliases, member.Name.Value)
		switch kind := member.Value.Kind; {
		case isAlias && kind == ir.DatumFields:
			begin = withMembers(begin, member.Value.Fields, in)
		case isAlias:
			begin.add(context, text)
		case kind == ir.DatumFields || kind == ir.DatumValue: // an object is merged into what is there
			begin = begin.merged(to)
			begin.add(to, text)
		default:
			begin = begin.write(to, nil, text)
		}
	}

	return begin
}

// copiedBack returns what of the context of an import is copied into that around it. A place that the import does not write keeps what it
// has.
func copiedBack(t *ir.Task, do *ir.Import, name fact, at *trace) facts {
	out := facts{}
	switch {
	case do.All && t.UpdatesContext:
		out.add(name, at)
	case do.Next && name.touches(context.member(ir.NextState)):
		out.add(context.member(ir.NextState), at)
	}
	if !t.UpdatesContext {
		return out
	}
	for _, copied := range do.Outputs {
		if name.touches(pathReads(copied.Child)[0]) {
			out.add(copyTarget(copied), at)
		}
	}

	return out
}

// copiedFromOutput returns what is copied from the output of an import, in which a place is looked up that its context lacks.
func copiedFromOutput(t *ir.Task, do *ir.Import, at *trace) facts {
	out := facts{}
	if !t.UpdatesContext {
		return out
	}
	for _, copied := range do.Outputs {
		if mayHoldText(t.Type.Schema, ir.Values(copied.Child.Path)) {
			out.add(copyTarget(copied), at)
		}
	}

	return out
}

// copyTarget is the value into which something is copied back.
func copyTarget(copied ir.ImportOutput) fact {
	if len(copied.Parent.Path) == 0 {
		return context
	}

	return context.member(copied.Parent.Path[0].Value)
}

// isCopyTarget reports whether an import may replace what a fact is about.
func isCopyTarget(t *ir.Task, do *ir.Import, name fact) bool {
	return t.UpdatesContext && slices.ContainsFunc(do.Outputs, func(copied ir.ImportOutput) bool { return name.isOf(copyTarget(copied)) })
}

// copiedByImport reports whether a write of a step is one that [workTexts.importWorkflow] follows.
func copiedByImport(t *ir.Task, write ir.ContextWrite) bool {
	_, isImport := t.Do.(*ir.Import)

	return isImport && write.Path != t.SinkTo
}

// mergedFields are the facts about the context into which an object is merged that fits a schema.
func mergedFields(schema *ir.Schema) []fact {
	schema = schema.Resolved()
	switch {
	case closed(schema):
		return nil
	case !isPlainObject(schema):
		return []fact{context}
	}
	var fields []fact
	for _, p := range schema.Properties {
		switch {
		case closed(p.Schema):
		case slices.Contains(ir.ContextAliases, p.Name.Value):
			fields = append(fields, mergedFields(p.Schema)...)
		default:
			fields = append(fields, context.member(p.Name.Value))
		}
	}

	return fields
}

// contextNames are the facts about the context of a workflow: its fields that the workflow, or one that it imports, names, and all others
// together.
func contextNames(a *ir.Agent) []fact {
	names := map[fact]bool{context.member(""): true}
	for _, inner := range ir.ReachableFrom(a) {
		w, isWorkflow := ir.WorkflowOf(inner.Node)
		if !isWorkflow {
			continue
		}
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			for _, path := range contextPaths(t) {
				if path != nil && len(path.Path) > 0 {
					names[context.member(path.Path[0].Value)] = true
				}
			}
			t.WalkOwnReads(func(access *ir.Access) {
				if access.Root == ir.RootContext && len(access.Path) > 0 {
					names[context.member(access.Path[0].Name.Value)] = true
				}
			})
		})
	}

	return slices.SortedFunc(maps.Keys(names), compareFacts)
}

// contextPaths are the places in the context that a step reads beside those in its expressions.
func contextPaths(t *ir.Task) []*ir.ContextPath {
	switch do := t.Do.(type) {
	case *ir.Loop:
		return []*ir.ContextPath{do.ItemsPath()}
	case *ir.UseBuiltin:
		return []*ir.ContextPath{do.Path}
	case *ir.Import:
		return ir.Map(do.Outputs, func(copied ir.ImportOutput) *ir.ContextPath { return copied.Child })
	}

	return nil
}

// isPlainObject reports whether a schema names all members of a value, which is an object.
func isPlainObject(s *ir.Schema) bool {
	return s != nil && s.Kind == ir.SchemaObject && s.Additional == nil && !s.Nullable
}

// mayBeObject reports whether a value of a schema can be an object; nil is any value.
func mayBeObject(s *ir.Schema) bool {
	if s == nil {
		return true
	}
	switch s.Kind {
	case ir.SchemaString, ir.SchemaBoolean, ir.SchemaInteger, ir.SchemaNumber, ir.SchemaArray:
		return false
	}

	return true
}

// mayHoldText reports whether a value of a schema can have an open text at a path.
func mayHoldText(s *ir.Schema, path []string) bool {
	s = s.Resolved()
	switch {
	case closed(s) || len(path) > 0 && !mayBeObject(s):
		return false
	case len(path) == 0 || !isPlainObject(s):
		return true
	}
	p := ir.First(s.Properties, func(p *ir.Property) bool { return p.Name.Value == path[0] })

	return p != nil && mayHoldText(p.Schema, path[1:])
}
