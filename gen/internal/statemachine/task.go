package statemachine

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// lowerPipeline lowers steps that run in sequence, in any of their forms. name and what are the
// fields of [ir.Pipeline].
func (b *builder) lowerPipeline(n *yamldoc.Node, f *frame, name []string, what string) *ir.Pipeline {
	p := &ir.Pipeline{Name: name, Description: what}
	f.pipeline = p
	if n != nil {
		p.Span = n.Span
	}
	if f.receive != nil {
		p.Tasks = append(p.Tasks, f.receive)
	}
	b.lowerSteps(stepsOf(n), f)

	return p
}

// lowerSteps lowers steps of a list into the pipeline of a frame. The steps that a loop skips are a
// pipeline of their own.
func (b *builder) lowerSteps(nodes []*yamldoc.Node, f *frame) {
	p := f.pipeline
	for i := 0; i < len(nodes); i++ {
		if nodes[i].Kind != yamldoc.Map {
			b.document.faulty = true // the schema has reported it
			continue
		}
		s := &step{builder: b, node: nodes[i], at: spot{frame: f, index: len(p.Tasks)}, data: resultType(p, f.input)}
		s.jump = b.findJump(nodes[i], nodes[i+1:], f)
		p.Tasks = append(p.Tasks, b.lowerStep(s))
		if s.jump != nil && s.jump.skips > 0 {
			p.Tasks = append(p.Tasks, s.lowerSkipped(nodes[i+1:i+1+s.jump.skips], nodes[i+1+s.jump.skips:]))
			i += s.jump.skips
		}
	}
}

// stepsOf returns the steps of a list or of {steps: […]}, or a single step.
func stepsOf(n *yamldoc.Node) []*yamldoc.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == yamldoc.Seq:
		return n.Items
	case n.Kind == yamldoc.Map && n.Field("steps") != nil:
		return n.Value("steps").Items
	case n.Kind == yamldoc.Map:
		return []*yamldoc.Node{n}
	}

	return nil
}

// nestedName returns the name of a pipeline that a step of another one runs.
func nestedName(p *ir.Pipeline, words ...string) []string {
	return append(slices.Clone(p.Name), words...)
}

// resultType returns the type of a pipeline's output for an input type.
func resultType(p *ir.Pipeline, input ir.Type) ir.Type {
	if n := len(p.Tasks); n > 0 {
		return withoutOwner(outputType(p.Tasks[n-1]))
	}

	return withoutOwner(input)
}

// outputType returns the type of a step's output, including its fallbacks.
func outputType(t *ir.Task) ir.Type {
	if mayLackOutput(t) {
		return unknown
	}
	types := []ir.Type{t.Type}
	isSame := t.Type.Schema != nil && t.Type.Schema.JSON != ""
	for f := t.Fallback; f != nil; f = f.Fallback {
		types = append(types, f.Type)
		isSame = isSame && isSameSchema(f.Type.Schema, t.Type.Schema)
	}
	if isSame {
		return t.Type // the Go type of the step reads the outputs of its fallbacks
	}

	return commonType(types...)
}

// step is a step during lowering.
type step struct {
	*builder
	node *yamldoc.Node
	at   spot
	task *ir.Task
	// data is the type of the step's input.
	data     ir.Type
	fallback bool
	// jump is where a run continues after a loop at its bound; nil if it does not go on elsewhere.
	jump *jump
}

// lowerStep lowers a step.
func (b *builder) lowerStep(s *step) *ir.Task {
	s.task = &ir.Task{Name: nameOf(s.node), Span: s.node.Span}
	if input := s.node.Field("input"); input != nil {
		s.data = typeOfData(input.Value)
	}
	s.task.Given = s.data
	s.registerStep()
	s.lowerOperation()
	s.lowerSettings()
	s.lowerUpdates(s.node.Field("updates_context"))
	if sink := textOf(s.node.Value("sink_to")); sink.Value != "" {
		s.task.SinkTo, _ = s.resolvePath(sink, s.document)
	}
	if n := s.node.Value("fallback"); n != nil && n.Kind == yamldoc.Map && s.kind() != kindQuestion { // else the schema has reported it
		s.task.Fallback = s.lowerStep(&step{builder: s.builder, node: n, at: s.at, data: s.data, fallback: true})
	}
	s.lowerStepTimeout()
	s.recordWrites()

	return s.task
}

// lowerUpdates lowers what of the step's output is merged into the context: all of it, or some
// fields.
func (s *step) lowerUpdates(f *yamldoc.Field) {
	if f == nil {
		return
	}
	names := frontend.Texts(f.Value)
	if !frontend.Bool(f.Value) && names == nil {
		return
	}
	s.task.UpdatesContext, s.task.UpdatesAt, s.task.MergedFields = true, f.Key.Span, names
	if names == nil {
		return
	}
	if _, isImport := s.task.Do.(*ir.Import); isImport {
		s.report(diag.New(diag.BadValue, f.Value.Span, "an import has no list of fields: its outputs name them").
			WithHint("write updates_context: true, and the fields below config.outputs"))
		s.task.MergedFields = nil
		return
	}
	s.later = append(s.later, func() { s.checkMergedFields(names) })
}

// checkMergedFields reports each name that the step's output, or the context, does not have.
func (s *step) checkMergedFields(names []ir.Text) {
	schema := s.task.Type.Schema.Resolved()
	isOpen := schema == nil || schema.Kind != ir.SchemaObject || schema.Additional != nil
	seen := map[string]bool{}
	for _, name := range names {
		isKnown := schema.Property(name.Value) != nil
		first, _, isPath := strings.Cut(name.Value, ".")
		switch {
		case seen[name.Value]:
			s.report(diag.New(diag.BadValue, name.Span, "field %q is listed twice", name.Value).WithHint("leave one of them out"))
			continue
		case isPath && !isKnown:
			s.report(diag.New(diag.BadValue, name.Span, "%q is a place inside of a field, and updates_context lists fields of the output", name.Value).
				WithHint("write %q: its fields are merged, or use sink_to", first))
			continue
		}
		seen[name.Value] = true
		if isOpen || isKnown {
			s.resolvePaths([]ir.Text{name})
			continue
		}
		s.report(diag.New(diag.UndefinedVariable, name.Span, "the output of step %q has no field %q", s.task.Name.Value, name.Value).
			Suggest(name.Value, schema.PropertyNames()))
	}
}

// nameOf returns the name of a step.
func nameOf(n *yamldoc.Node) ir.Text {
	if name := frontend.Text(n.Value("name")); name.Value != "" {
		return name
	}

	return frontend.Text(n.Value("step"))
}

// registerStep registers the step by name, so that expressions find it. The input of the workflow
// has a name of its own.
func (s *step) registerStep() {
	if receive := s.inputTask(); receive != nil && s.task.Name.Value == ir.InputName {
		s.report(diag.New(diag.DuplicateName, s.task.Name.Span, "the step has the name of the workflow's input, %q", ir.InputName).
			WithHint("rename the step").Note(receive.Span, "the input is declared here"))
		s.task.Output = receive.Output
		return
	}
	s.registerTask(placedStep{at: s.at, task: s.task, fallback: s.fallback})
}

// registerTask registers a task by name.
func (b *builder) registerTask(placed placedStep) {
	name := placed.task.Name
	steps := b.steps[name.Value]
	if steps == nil {
		steps = &namedSteps{output: &ir.Output{Name: name}}
		if name.Value != "" { // else the schema has reported it
			b.steps[name.Value] = steps
			b.names = append(b.names, name.Value)
			b.workflow.Outputs = append(b.workflow.Outputs, steps.output)
		}
	}
	placed.task.Output = steps.output
	steps.steps = append(steps.steps, placed)
}

// inputTask returns the task that reads the input of the workflow; nil without an input_schema.
func (b *builder) inputTask() *ir.Task {
	input := b.steps[ir.InputName]
	if input == nil {
		return nil
	}
	if _, receives := input.steps[0].task.Do.(*ir.Receive); !receives {
		return nil
	}

	return input.steps[0].task
}

// lowerInput lowers the input of the step.
func (s *step) lowerInput() {
	if f := s.node.Field("input"); f != nil {
		s.later = append(s.later, func() { s.task.Input = s.lowerDatum(f.Value, s.scopeAt(s.at)) })
	}
}

// lowerSettings lowers the step's retries, timeout and limits.
func (s *step) lowerSettings() {
	config := s.node.Value("config")
	s.lowerRetries(config)
	s.lowerBackoff(config)
	s.task.Timeout = s.lowerTimeout(config)
	limits := s.node.Value("usage_limits")
	s.task.Tokens = s.set.project.ReadLimit(limits.Value("total_tokens_limit"), 0)
	s.task.USD = s.set.project.ReadDollars(asNumber(limits.Value("total_cost_usd_limit")))
	if _, isImport := s.task.Do.(*ir.Import); isImport || s.task.Do == nil {
		return
	}
	for _, name := range []string{"inherit_context", "input_to", "input_scratchpad_key", "outputs", "on_failure"} {
		if f := config.Field(name); f != nil {
			s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by a step without an import", name))
		}
	}
}

// lowerRetries lowers the number of retries. A fallback has no retries.
func (s *step) lowerRetries(config *yamldoc.Node) {
	f := config.Field("max_retries")
	switch {
	case f == nil && !s.fallback:
		s.task.Retries = defaultRetries(s.task.Do)
	case f == nil:
	case s.fallback:
		s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used: a fallback is tried once", f.Key.Text).Warn())
	default:
		s.task.Retries = s.readCount(f.Value, defaultRetries(s.task.Do))
		s.task.RetriesAt = f.Key.Span
	}
}

// lowerBackoff lowers the waits between the attempts.
func (s *step) lowerBackoff(config *yamldoc.Node) {
	first, most := config.Field("backoff"), config.Field("max_backoff")
	for _, f := range []*yamldoc.Field{first, most} {
		if f != nil && s.task.Retries == 0 {
			s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used: step %q is not retried", f.Key.Text,
				s.task.Name.Value).WithHint("add max_retries, too").Warn())
		}
	}
	if s.task.Retries == 0 {
		return
	}
	if first != nil {
		s.task.Backoff = s.set.project.ReadDuration(first.Value)
	}
	if most == nil {
		return
	}
	s.task.MaxBackoff = s.set.project.ReadDuration(most.Value)
	if s.task.MaxBackoff > 0 && s.task.MaxBackoff < s.task.Backoff {
		s.report(diag.New(diag.BadValue, most.Value.Span, "no wait is longer than max_backoff, but the first is %s",
			first.Value.Text).WithHint("write a max_backoff of at least %s", first.Value.Text))
	}
}

// defaultRetries returns the default number of retries. Only model calls are retried by default:
// they have no effects, and the next reply may be better.
func defaultRetries(do ir.Op) int {
	if asksModel(do) {
		return 1
	}

	return 0
}

// asksModel reports whether a step calls an agent that the workflow declares.
func asksModel(do ir.Op) bool {
	run, isRun := do.(*ir.Run)

	return isRun && run.Step != nil
}

// lowerTimeout lowers the time limit of a call.
func (s *step) lowerTimeout(config *yamldoc.Node) time.Duration {
	f, older := config.Field("timeout_s"), config.Field("timeout")
	if f != nil && older != nil {
		s.report(diag.New(diag.UnusedField, older.Key.Span, "field %q is not used beside timeout_s", older.Key.Text).Warn())
	}
	f = cmp.Or(f, older)
	if f == nil {
		return 0
	}
	if _, calls := s.task.Do.(*ir.UseFunc); calls || s.task.Do == nil || asksModel(s.task.Do) {
		return s.readSeconds(f.Value)
	}
	s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used: step %q calls neither a model nor a function itself",
		f.Key.Text, s.task.Name.Value).WithHint("write it at the steps that do").Warn())

	return 0
}

// childFrame returns the frame of a pipeline that the step runs.
func (s *step) childFrame(kind frameKind, input ir.Type) *frame {
	f := s.at.childFrame(kind, input)
	f.maySkip = s.fallback || s.node.Field("fallback") != nil || s.node.Field("on_timeout") != nil
	f.isFallback = f.isFallback || s.fallback

	return f
}

// afterBody returns the spot after the pipelines of the step.
func (s *step) afterBody() spot { return spot{frame: s.at.frame, index: s.at.index, afterBody: true} }

// The kinds of steps that other functions test.
const (
	kindStep     = "step"
	kindMachine  = "StateMachine"
	kindQuestion = "hitl"
)

// kind returns the kind of the step.
func (s *step) kind() string {
	if kind, ok := s.node.Value("kind").Scalar(); ok {
		return kind
	}

	return kindStep
}

// lowerOperation lowers the operation of the step. An unknown kind has been reported.
func (s *step) lowerOperation() {
	switch s.kind() {
	case kindStep:
		s.lowerCall()
	case kindMachine:
		s.lowerMachine()
	case "conditional":
		s.lowerConditional()
	case "loop":
		s.lowerLoop()
	case "map":
		s.lowerMap()
	case "parallel":
		s.lowerParallel()
	case kindQuestion:
		s.lowerQuestion()
	}
	if s.task.Do == nil {
		s.document.faulty = true
	}
}

// lowerQuestion lowers a question to a person.
func (s *step) lowerQuestion() {
	s.lowerInput()
	do := &ir.Ask{}
	s.task.Do = do
	s.task.Type = textType
	if schema := s.lowerSchema(s.node.Value("input_schema")); schema != nil {
		do.Answer = ir.Type{Schema: schema, Owner: ir.OwnerAnswer, OwnerName: s.workflowName() + "/" + s.task.Name.Value}
		// Two steps with the same name and different answers share the Go type of the first.
		if slices.ContainsFunc(s.answers, func(known ir.Type) bool {
			return known.Owner == ir.OwnerAnswer && known.OwnerName == do.Answer.OwnerName && !isSameSchema(known.Schema, schema)
		}) {
			do.Answer = withoutOwner(do.Answer)
		}
		s.task.Type = do.Answer
	}
	s.answers = append(s.answers, s.task.Type)
	s.lowerAnswerTimeout(do)
	if message := textOf(s.node.Value("message")); message.Value != "" {
		s.later = append(s.later, func() { do.Message = s.parseTemplate(message, s.scopeAt(s.at)) })
	}
}
