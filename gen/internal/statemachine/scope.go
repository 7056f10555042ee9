package statemachine

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// previousStep is where previous_step is among the names of a scope.
const previousStep = 1

// scope is what templates see at a place.
func (b *builder) scope(at spot) *expr.Scope {
	s := &expr.Scope{
		Names: []expr.Name{
			b.contextAt(at),
			{Name: "previous_step", Value: at.previous()},
			b.answer(),
		},
		Steps: seen{b, at},
	}
	if at.frame != nil && at.frame.item != nil {
		s.Names = append(s.Names, expr.Name{Name: "this", Value: &ir.Access{Root: ir.RootThis, Type: *at.frame.item}})
	}

	return s
}

// condition is what a condition sees: output and previous_step are what it judges.
func (b *builder) condition(at spot, judged *ir.Access) *expr.Scope {
	s := b.scope(at)
	s.Names[previousStep].Value = judged
	s.Names = append(s.Names, expr.Name{Name: "output", Value: judged})

	return s
}

// contextAt is the context as it is seen from a place.
func (b *builder) contextAt(at spot) expr.Name {
	name := contextOf(b.document)
	name.StepOf = func(name string) (expr.StepName, bool) {
		if b.written.own[name] {
			return expr.StepName{}, false
		}
		return seen{b, at}.Step(name)
	}
	name.Lacks = b.contextLacks
	for _, field := range engineFields {
		if b.document.context.Property(field.name) == nil && b.contextLacks(field.name) {
			name.Members = append(name.Members, expr.Name{Name: field.name, Absent: field.write})
		}
	}

	return name
}

// engineFields are the fields of the context that flujo's engine writes and this one does not, with what to write instead. A workflow
// may have fields of these names that its steps write, or its context declares.
var engineFields = []struct{ name, write string }{
	{"initial_prompt", `nothing writes it; begin with a step {name: task}, and write steps.task for what the run was given`},
	{"user_input", `nothing writes it; write resume_input, or name a place for the answer in sink_to`},
	{"status", `nothing writes it; rows on success, failure and pause follow how a state came out`},
	{"run_id", `nothing writes it; the events and "runs show" have the id of a run`},
	{"step_outputs", `nothing writes it; write steps, which has the output of each step by its name`},
	{"hitl_history", `nothing writes it; name a place for each answer in sink_to`},
	{"pause_message", `nothing writes it; the message of a step that asks is in the question`},
}

// contextLacks reports whether the context never has a field, unless a run begins with a context that does: it is declared
// without it, or no step writes it.
func (b *builder) contextLacks(name string) bool {
	if declared := b.document.context; declared != nil && declared.Additional == nil {
		return true
	}

	return !b.written.open && !b.written.names[name]
}

// contextOf is the context of a workflow.
func contextOf(d *document) expr.Name {
	t := unknown
	if d.context != nil {
		t = ir.Type{Schema: d.context, Owner: ir.OwnerContext, Of: d.agent.Name.Value}
	}

	return expr.Name{
		Name:  "context",
		Value: &ir.Access{Root: ir.RootContext, Type: t},
		Members: []expr.Name{
			{Name: ir.NextState, Value: &ir.Access{Root: ir.RootNext, Type: textType, Maybe: true}},
			{Name: ir.CurrentState, Value: &ir.Access{Root: ir.RootCurrent, Type: textType, Maybe: true}},
		},
		Same: []string{"scratchpad", "import_artifacts"},
	}
}

// answer is the newest answer of a person.
func (b *builder) answer() expr.Name {
	if len(b.answers) == 0 {
		return expr.Name{Name: "resume_input", Absent: "no step of this workflow asks a person"}
	}

	return expr.Name{Name: "resume_input", Value: &ir.Access{Root: ir.RootAnswer, Type: b.anyAnswer, Maybe: true}}
}

// seen are the steps of a workflow as they are seen from a place.
type seen struct {
	builder *builder
	at      spot
}

// Step returns the steps called name.
func (s seen) Step(name string) (expr.StepName, bool) {
	steps := s.builder.steps[name]
	if steps == nil {
		return expr.StepName{}, false
	}

	return expr.StepName{Output: steps.output, Ran: steps.ran(s.at)}, true
}

// StepNames returns the names of all steps, in source order.
func (s seen) StepNames() []string { return s.builder.names }

// place reads a place in the context of a workflow; nil if it is none, which is reported. typ is what is known of what
// is there.
func (b *builder) place(text ir.Text, of *document) (path *ir.ContextPath, typ ir.Type) {
	path, typ, findings := expr.Place(text, contextOf(of))
	b.report(findings...)

	return path, typ
}

// places reads a list of places in the context.
func (b *builder) places(texts []ir.Text) []*ir.ContextPath {
	var paths []*ir.ContextPath
	for _, text := range texts {
		if text.Value == "" {
			continue // the schema has said so
		}
		if path, _ := b.place(text, b.document); path != nil {
			paths = append(paths, path)
		}
	}

	return paths
}

// contextPath reads the path of a builtin. One with placeholders is known when it runs. What is merged may go into the
// context itself.
func (s *step) contextPath(do *ir.UseBuiltin, path ir.Text) {
	switch {
	case path.Value == "" || hasPlaceholder(path.Value):
	case do.Context == ir.ContextMerge && isContext(path.Value):
		do.Path = &ir.ContextPath{Text: path}
	default:
		var typ ir.Type
		if do.Path, typ = s.place(path, s.document); do.Context == ir.ContextRead {
			s.task.Type = dynamic(typ)
		}
	}
}

// isContext reports whether a path is that of the context itself.
func isContext(path string) bool {
	context := contextOf(&document{})
	names := append([]string{context.Name}, context.Same...)

	return !slices.ContainsFunc(strings.Split(path, "."), func(name string) bool { return !slices.Contains(names, name) })
}

// fields are fields of the context that steps write.
type fields struct {
	names map[string]bool
	// own are those that a step of their name writes: they are there when the step has run.
	own map[string]bool
	// open says that there may be others, which only the run shows.
	open bool
}

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
