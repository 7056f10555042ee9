package statemachine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// previousStep is the index of previous_step in the names of a scope.
const previousStep = 1

// scopeAt returns the names that templates at a spot can use.
func (b *builder) scopeAt(at spot) *expr.Scope {
	s := &expr.Scope{
		Names: []expr.Name{
			b.contextAt(at),
			{Name: "previous_step", Value: at.previousOutput()},
			b.answerName(),
		},
		Steps: visibleSteps{b, at},
	}
	if input, isKnown := b.inputName(); isKnown {
		s.Names = append(s.Names, input)
	}
	if at.frame != nil && at.frame.item != nil {
		s.Names = append(s.Names, expr.Name{Name: "this", Value: &ir.Access{Root: ir.RootThis, Type: *at.frame.item}})
	}
	isInBody := at.frame != nil && at.frame.turns != nil
	switch {
	case isInBody:
		s.Names = append(s.Names, expr.Name{Name: loopName, Members: at.frame.turns})
	case b.steps[loopName] == nil: // otherwise the step is suggested
		s.Names = append(s.Names, outsideLoop)
	}
	failure := errorAt(at)
	if failure.Absent == "" || b.steps[errorName] == nil { // otherwise the step is suggested
		s.Names = append(s.Names, failure)
	}

	return s
}

// inputName returns the name of the workflow's input. Without an input_schema it has no value, and it
// is not known where a step has the name, which is then suggested.
func (b *builder) inputName() (name expr.Name, isKnown bool) {
	receive := b.inputTask()
	switch {
	case receive != nil:
		return expr.Name{Name: ir.InputName, Value: ir.OutputAccess(receive.Output)}, true
	case b.steps[ir.InputName] != nil:
		return name, false
	}

	return expr.Name{Name: ir.InputName, Absent: "the workflow has no input_schema; write one, or begin with a step {name: task}, " +
		"whose output steps.task is the text that the run was given"}, true
}

// loopName is the name of what a step in the body of a loop knows of the turn.
const loopName = "loop"

// outsideLoop is the name outside of all bodies.
var outsideLoop = expr.Name{Name: loopName, Absent: "only the steps in the body of a loop or a map know its turn and variables"}

// turnNames returns the names below `loop` in the body of a loop with a bound, or of a map. A bound
// of 0 is none.
func turnNames(bound int) []expr.Name {
	index := &ir.Schema{Kind: ir.SchemaInteger, Minimum: "0"}
	if bound > 0 {
		index.Maximum = strconv.Itoa(bound - 1)
	}

	return []expr.Name{
		{Name: "index", Value: &ir.Access{Root: ir.RootIndex, Type: ir.Type{Schema: index}}},
		{Name: "first", Value: &ir.Access{Root: ir.RootIsFirst, Type: truthType}},
		{Name: "last", Value: &ir.Access{Root: ir.RootIsLast, Type: truthType}},
	}
}

// scopeAt returns the names that templates of the step can use at a spot. A fallback always has an
// error.
func (s *step) scopeAt(at spot) *expr.Scope {
	scope := s.builder.scopeAt(at)
	if s.fallback {
		setName(scope, expr.Name{Name: errorName, Value: errorAccess(false)})
	}

	return scope
}

// conditionScope returns the names that a condition can use. output and previous_step name the
// judged value.
func (b *builder) conditionScope(at spot, judged *ir.Access) *expr.Scope {
	s := b.scopeAt(at)
	s.Names[previousStep].Value = judged
	s.Names = append(s.Names, expr.Name{Name: "output", Value: judged})

	return s
}

// contextAt returns the context as expressions at a spot see it.
func (b *builder) contextAt(at spot) expr.Name {
	name := contextOf(b.document)
	name.StepOf = func(name string) (expr.StepName, bool) {
		if b.written.own[name] {
			return expr.StepName{}, false
		}
		return visibleSteps{b, at}.Step(name)
	}
	name.Lacks = b.contextLacks
	for _, field := range engineFields {
		if b.document.context.Property(field.name) == nil && b.contextLacks(field.name) {
			name.Members = append(name.Members, expr.Name{Name: field.name, Absent: field.write})
		}
	}

	return name
}

// engineFields are context fields that the engine of flujo writes and this one does not, with their
// replacements. A workflow may declare or write fields of these names.
var engineFields = []struct{ name, write string }{
	{"initial_prompt", `nothing writes it; begin with a step {name: task}, and write steps.task for what the run was given`},
	{"user_input", `nothing writes it; write resume_input, or name a place for the answer in sink_to`},
	{"status", `nothing writes it; rows on success, failure and pause follow how a state came out`},
	{"run_id", `nothing writes it; the events and "runs show" have the id of a run`},
	{"step_outputs", `nothing writes it; write steps, which has the output of each step by its name`},
	{"hitl_history", `nothing writes it; name a place for each answer in sink_to`},
	{"pause_message", `nothing writes it; the message of a step that asks is in the question`},
}

// contextLacks reports whether the context never has a field, unless a run begins with it: the
// declared context rules it out, or no step writes it.
func (b *builder) contextLacks(name string) bool {
	if declared := b.document.context; declared != nil && declared.Additional == nil {
		return true
	}

	return !b.written.open && !b.written.names[name]
}

// contextOf returns the context of a workflow.
func contextOf(d *document) expr.Name {
	t := unknown
	if d.context != nil {
		t = ir.Type{Schema: d.context, Owner: ir.OwnerContext, OwnerName: d.agent.Name.Value}
	}

	return expr.Name{
		Name:  "context",
		Value: &ir.Access{Root: ir.RootContext, Type: t},
		Members: []expr.Name{
			{Name: ir.NextState, Value: &ir.Access{Root: ir.RootNext, Type: textType, MayBeNone: true}},
			{Name: ir.CurrentState, Value: &ir.Access{Root: ir.RootCurrent, Type: textType, MayBeNone: true}},
		},
		Same: []string{"scratchpad", "import_artifacts"},
	}
}

// answerName returns the name of a person's latest answer.
func (b *builder) answerName() expr.Name {
	if len(b.answers) == 0 {
		return expr.Name{Name: "resume_input", Absent: "no step of this workflow asks a person"}
	}

	return expr.Name{Name: "resume_input", Value: &ir.Access{Root: ir.RootAnswer, Type: b.anyAnswer, MayBeNone: true}}
}

// visibleSteps are the steps of a workflow that a spot can refer to.
type visibleSteps struct {
	builder *builder
	at      spot
}

// Step returns the steps with a name.
func (s visibleSteps) Step(name string) (expr.StepName, bool) {
	steps := s.builder.steps[name]
	if steps == nil {
		return expr.StepName{}, false
	}

	return expr.StepName{Output: steps.output, Ran: steps.ranBefore(s.at)}, true
}

// StepNames returns the names of all steps, in source order.
func (s visibleSteps) StepNames() []string { return s.builder.names }

// resolvePath parses a context path and returns it with its type. It reports an invalid path and
// returns nil.
func (b *builder) resolvePath(text ir.Text, of *document) (path *ir.ContextPath, typ ir.Type) {
	path, typ, findings := expr.ParsePath(text, contextOf(of))
	b.report(findings...)

	return path, typ
}

// resolvePaths parses a list of context paths.
func (b *builder) resolvePaths(texts []ir.Text) []*ir.ContextPath {
	var paths []*ir.ContextPath
	for _, text := range texts {
		if text.Value == "" {
			continue // the schema has reported it
		}
		if path, _ := b.resolvePath(text, b.document); path != nil {
			paths = append(paths, path)
		}
	}

	return paths
}

// lowerContextPath parses the path of a builtin. A path with placeholders is only known at run
// time. A merge may name the context itself.
func (s *step) lowerContextPath(do *ir.UseBuiltin, path ir.Text) {
	switch {
	case path.Value == "" || hasPlaceholder(path.Value):
	case do.Context == ir.ContextMerge && isContextPath(path.Value):
		do.Path = &ir.ContextPath{Text: path}
	default:
		path, typ := s.resolvePath(path, s.document)
		do.Path = path
		if do.Context == ir.ContextRead {
			s.task.Type = withoutOwner(typ)
		}
	}
}

// isContextPath reports whether a path names the context itself.
func isContextPath(path string) bool {
	context := contextOf(&document{})
	names := append([]string{context.Name}, context.Same...)

	return !slices.ContainsFunc(strings.Split(path, "."), func(name string) bool { return !slices.Contains(names, name) })
}

// contextFields are the context fields that steps write.
type contextFields struct {
	names map[string]bool
	// own are the fields that a step with the same name writes, so that they exist once the step
	// has run.
	own map[string]bool
	// open is true if there may be other fields, which are only known at run time.
	open bool
}

// recordWrites records the context fields that the step writes.
func (s *step) recordWrites() {
	s.written.open = s.written.open || s.task.Do == nil // the operation is unknown after a mistake
	_, isImport := s.task.Do.(*ir.Import)
	for _, w := range s.task.ContextWrites() {
		switch {
		case w.Path == nil:
			s.written.open = true
		case len(w.Path.Path) > 0:
			s.recordField(w.Path.Path[0].Value, !isImport || w.Path == s.task.SinkTo) // a copied field may be missing
		case w.At == s.task.UpdatesAt:
			s.recordMembers(s.mergedSchema())
		default:
			s.recordMembers(w.Schema)
		}
	}
}

// mergedSchema returns the schema of what the step merges into the context.
func (s *step) mergedSchema() *ir.Schema {
	if s.task.MergedFields != nil {
		return s.task.MergedSchema()
	}

	return outputType(s.task).Schema
}

// recordMembers records the fields of an object that is merged into the context.
func (s *step) recordMembers(of *ir.Schema) {
	if of == nil || of.Kind == ir.SchemaAny {
		s.written.open = true
		return
	}
	s.written.open = s.written.open || of.Additional != nil
	for _, p := range of.Properties {
		s.recordField(p.Name.Value, p.Required)
	}
}

// recordField records a field. isAlways is true if each run of the step writes it.
func (s *step) recordField(name string, always bool) {
	s.written.names[name] = true
	if always && name == s.task.Name.Value {
		s.written.own[name] = true
	}
}
