package can

import (
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// keptReason is why no script makes a field keep its text after an import that should replace it:
// whether the import has something to copy is not known.
const keptReason = "an import may leave the field that it copies to as it is"

// mergedReason is why no script makes a field keep its text after a merge into it: whether both are
// objects is not known.
const mergedReason = "an import may replace the field that something is merged into"

// importWorkflow follows facts through a step that runs another workflow with its own context.
func (w *workTexts) importWorkflow(r *result, t *ir.Task, do *ir.Import, in facts) facts {
	child := func(from fact) *result { return w.analysis.analyzeAgent(do.Agent.Agent, from) }
	out := facts{}
	inner := func(name fact, at *trace) {
		switch {
		case name == failureFact:
		case name.isPartOf(contextFact):
			out.addFacts(copyBack(t, do, name, at))
		case name == valueFact:
			out.addFact(valueFact, at)
		default:
			out.addFact(name, at)
		}
	}
	// The whole context of the child replaces the context if the child began with all of it.
	isReplaced := do.Inherit && do.All && t.UpdatesContext
	r.followFacts(in, []fact{argumentFact}, child, inner, func(name fact, at *trace) {
		switch {
		case isReplaced && name.isPartOf(contextFact):
		case isCopyTarget(t, do, name):
			out.addFact(name, at.withStep(Step{Do: "finish", openReason: keptReason}))
		default:
			out.addFact(name, at)
		}
	})
	begin := w.childContext(t, do, in)
	for _, name := range begin.sortedFacts() {
		r.addAfter(begin[name], child(name), func(_ key, name fact, at *trace) { inner(name, at) })
	}
	if do.OnFailure != ir.FailureAbort {
		for name, at := range in.withStep(Step{Do: "finish", openReason: "an import fails"}) {
			if out[name] == nil {
				out.addFact(name, at)
			}
		}
	}

	return out
}

// childContext returns the facts about the initial context of an import: the inherited context, and
// its input if that is put there.
func (w *workTexts) childContext(t *ir.Task, do *ir.Import, in facts) facts {
	begin, input := facts{}, w.inputs[t]
	if do.Inherit {
		for name, at := range in {
			if name.isPartOf(contextFact) {
				begin.addFact(name, at)
			}
		}
	}
	if do.InputTo == ir.InputToPrompt {
		return begin
	}
	if input != nil && input.Kind == ir.DatumFields {
		return mergeMembers(begin, input.Fields, in)
	}
	given := t.Given.Schema.Resolved()
	if !mayBeObject(given) {
		return begin.writeValue(contextFact.fieldFact(do.Key), nil, in[argumentFact])
	}
	begin.addFact(contextFact.fieldFact(do.Key), in[argumentFact])
	if !isPlainObject(given) {
		for _, name := range contextNames(do.Agent.Agent) {
			begin.addFact(name, in[argumentFact])
		}

		return begin
	}
	for _, p := range given.Properties {
		text := in[argumentFact]
		if input == nil {
			text = in.bestPath([]fact{previousFact.fieldFact(p.Name.Value)})
		}
		begin = begin.mergeProperty(p, text)
	}

	return begin
}

// mergeProperty merges a property of an object into a context.
func (f facts) mergeProperty(p *ir.Property, text *trace) facts {
	if slices.Contains(ir.ContextAliases, p.Name.Value) {
		for _, name := range mergedFields(&ir.Schema{Kind: ir.SchemaObject, Properties: []*ir.Property{p}}) {
			f.addFact(name, text)
		}
		return f
	}
	to := contextFact.fieldFact(p.Name.Value)
	switch {
	case p.Required && !mayBeObject(p.Schema.Resolved()):
		return f.writeValue(to, p.Schema, text)
	case p.Required:
		f = f.weakenMerged(to)
	}
	if !isClosed(p.Schema) {
		f.addFact(to, text)
	}

	return f
}

// weakenMerged returns the facts after a merge of a possible object into a field. Its text remains
// only if both are objects.
func (f facts) weakenMerged(to fact) facts {
	out := facts{}
	for name, at := range f {
		if name.isPartOf(to) {
			at = at.withStep(Step{Do: "finish", openReason: mergedReason})
		}
		out[name] = at
	}

	return out
}

// mergeMembers merges a literal object of the source into a context.
func mergeMembers(begin facts, members []ir.DatumField, in facts) facts {
	for _, member := range members {
		to, text := contextFact.fieldFact(member.Name.Value), in.bestPath(datumReads(member.Value))
		isAlias := slices.Contains(ir.ContextAliases, member.Name.Value)
		switch kind := member.Value.Kind; {
		case isAlias && kind == ir.DatumFields:
			begin = mergeMembers(begin, member.Value.Fields, in)
		case isAlias:
			begin.addFact(contextFact, text)
		case kind == ir.DatumFields || kind == ir.DatumValue: // an object is merged into the existing one
			begin = begin.weakenMerged(to)
			begin.addFact(to, text)
		default:
			begin = begin.writeValue(to, nil, text)
		}
	}

	return begin
}

// copyBack returns the facts that an import copies from its context. A path that the import does
// not write keeps its facts.
func copyBack(t *ir.Task, do *ir.Import, name fact, at *trace) facts {
	out := facts{}
	switch {
	case do.All && t.UpdatesContext:
		out.addFact(name, at)
	case do.Next && name.overlaps(contextFact.fieldFact(ir.NextState)):
		out.addFact(contextFact.fieldFact(ir.NextState), at)
	}
	if !t.UpdatesContext {
		return out
	}
	for _, copied := range do.Outputs {
		if name.overlaps(pathReads(copied.Child)[0]) {
			out.addFact(copyTarget(copied), at)
		}
	}

	return out
}

// copyTarget returns the target of a copy.
func copyTarget(copied ir.ImportOutput) fact {
	if len(copied.Parent.Path) == 0 {
		return contextFact
	}

	return contextFact.fieldFact(copied.Parent.Path[0].Value)
}

// isCopyTarget reports whether an import may replace the value of a fact.
func isCopyTarget(t *ir.Task, do *ir.Import, name fact) bool {
	return t.UpdatesContext && slices.ContainsFunc(do.Outputs, func(copied ir.ImportOutput) bool { return name.isPartOf(copyTarget(copied)) })
}

// isCopiedByImport reports whether [workTexts.importWorkflow] follows a write of a step.
func isCopiedByImport(t *ir.Task, write ir.ContextWrite) bool {
	_, isImport := t.Do.(*ir.Import)

	return isImport && write.Path != t.SinkTo
}

// mergedFields returns the facts about a context into which an object that fits a schema is merged.
func mergedFields(schema *ir.Schema) []fact {
	schema = schema.Resolved()
	switch {
	case isClosed(schema):
		return nil
	case !isPlainObject(schema):
		return []fact{contextFact}
	}
	var fields []fact
	for _, p := range schema.Properties {
		switch {
		case isClosed(p.Schema):
		case slices.Contains(ir.ContextAliases, p.Name.Value):
			fields = append(fields, mergedFields(p.Schema)...)
		default:
			fields = append(fields, contextFact.fieldFact(p.Name.Value))
		}
	}

	return fields
}

// contextNames returns the facts about the context of a workflow: the fields that it, or one that
// it imports, names, and all others together.
func contextNames(a *ir.Agent) []fact {
	names := map[fact]bool{contextFact.fieldFact(""): true}
	for _, inner := range ir.ReachableFrom(a) {
		w, isWorkflow := ir.WorkflowOf(inner.Node)
		if !isWorkflow {
			continue
		}
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			for _, path := range contextPaths(t) {
				if path != nil && len(path.Path) > 0 {
					names[contextFact.fieldFact(path.Path[0].Value)] = true
				}
			}
			t.WalkOwnReads(func(access *ir.Access) {
				if access.Root == ir.RootContext && len(access.Path) > 0 {
					names[contextFact.fieldFact(access.Path[0].Name.Value)] = true
				}
			})
		})
	}

	return slices.SortedFunc(maps.Keys(names), compareFacts)
}

// contextPaths returns the paths in the context that a step reads outside of its expressions.
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

// mayBeObject reports whether a value of a schema can be an object. A nil schema permits any value.
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
