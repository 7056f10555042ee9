package statemachine

import (
	"cmp"
	"slices"
	"time"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// pipeline lowers steps that run one after another, in any of the forms in which they can be written. name and what are
// those of [ir.Pipeline].
func (b *builder) pipeline(n *yamldoc.Node, f *frame, name []string, what string) *ir.Pipeline {
	p := &ir.Pipeline{Name: name, What: what}
	f.pipeline = p
	if n != nil {
		p.Span = n.Span
	}
	for _, n := range stepsOf(n) {
		if n.Kind != yamldoc.Map {
			b.document.faulty = true // the schema has said so
			continue
		}
		at := spot{frame: f, index: len(p.Tasks)}
		p.Tasks = append(p.Tasks, b.lower(&step{builder: b, node: n, at: at, data: result(p, f.input)}))
	}

	return p
}

// stepsOf returns the steps of a list, of {steps: […]}, or the one step that a body is.
func stepsOf(n *yamldoc.Node) []*yamldoc.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == yamldoc.Seq:
		return n.Items
	case n.Kind == yamldoc.Map && n.Get("steps") != nil:
		return n.Value("steps").Items
	case n.Kind == yamldoc.Map:
		return []*yamldoc.Node{n}
	}

	return nil
}

// within names a pipeline that a step of another one runs.
func within(p *ir.Pipeline, words ...string) []string { return append(slices.Clone(p.Name), words...) }

// result is what is known of the output of a pipeline that is given a value of type input.
func result(p *ir.Pipeline, input ir.Type) ir.Type {
	if n := len(p.Tasks); n > 0 {
		return dynamic(givenBy(p.Tasks[n-1]))
	}

	return dynamic(input)
}

// givenBy is what is known of the output of a step, whichever of its tries and fallbacks gave it.
func givenBy(t *ir.Task) ir.Type {
	if mayGiveNone(t) {
		return unknown
	}
	types := []ir.Type{t.Type}
	for f := t.Fallback; f != nil; f = f.Fallback {
		types = append(types, f.Type)
	}

	return same(types...)
}

// step is a step while it is lowered.
type step struct {
	*builder
	node *yamldoc.Node
	at   spot
	task *ir.Task
	// data is what is known of what the step is given.
	data     ir.Type
	fallback bool
}

// lower lowers a step.
func (b *builder) lower(s *step) *ir.Task {
	s.task = &ir.Task{Name: nameOf(s.node), Span: s.node.Span}
	if input := s.node.Get("input"); input != nil {
		s.data = typeOfData(input.Value)
	}
	s.register()
	s.work()
	s.settings()
	if f := s.node.Get("updates_context"); f != nil && frontend.Bool(f.Value) {
		s.task.UpdatesContext, s.task.UpdatesAt = true, f.Key.Span
	}
	if sink := textIn(s.node.Value("sink_to")); sink.Value != "" {
		s.task.SinkTo, _ = s.place(sink, s.document)
	}
	if n := s.node.Value("fallback"); n != nil && n.Kind == yamldoc.Map && s.kind() == kindStep { // else the schema has said so
		s.task.Fallback = s.lower(&step{builder: s.builder, node: n, at: s.at, data: s.data, fallback: true})
	}
	s.writes()

	return s.task
}

// nameOf returns what a step is called.
func nameOf(n *yamldoc.Node) ir.Text {
	if name := frontend.Text(n.Value("name")); name.Value != "" {
		return name
	}

	return frontend.Text(n.Value("step"))
}

// register makes the step known by name, so that expressions find it.
func (s *step) register() {
	name := s.task.Name
	steps := s.steps[name.Value]
	if steps == nil {
		steps = &namedSteps{output: &ir.Output{Name: name}}
		if name.Value != "" { // else the schema has asked for it
			s.steps[name.Value] = steps
			s.names = append(s.names, name.Value)
			s.workflow.Outputs = append(s.workflow.Outputs, steps.output)
		}
	}
	s.task.Output = steps.output
	steps.steps = append(steps.steps, standing{at: s.at, task: s.task, fallback: s.fallback})
}

// input takes what the step is given, unless its work has taken it for its arguments.
func (s *step) input() {
	if f := s.node.Get("input"); f != nil {
		s.later = append(s.later, func() { s.task.Input = s.datum(f.Value, s.scope(s.at)) })
	}
}

// settings takes what the step says of retries, time and money.
func (s *step) settings() {
	config := s.node.Value("config")
	s.retries(config)
	s.task.Timeout = s.timeout(config)
	limits := s.node.Value("usage_limits")
	s.task.Tokens = s.set.project.Limit(limits.Value("total_tokens_limit"), 0)
	s.task.USD = s.set.project.Dollars(unquoted(limits.Value("total_cost_usd_limit")))
	if _, isImport := s.task.Do.(*ir.Import); isImport || s.task.Do == nil {
		return
	}
	for _, name := range []string{"inherit_context", "input_to", "input_scratchpad_key", "outputs", "on_failure"} {
		if f := config.Get(name); f != nil {
			s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used by a step without an import", name))
		}
	}
}

// retries takes how often the step is tried again: never, if it is a fallback.
func (s *step) retries(config *yamldoc.Node) {
	f := config.Get("max_retries")
	switch {
	case f == nil && !s.fallback:
		s.task.Retries = defaultRetries(s.task.Do)
	case f == nil:
	case s.fallback:
		s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used: a fallback is tried once", f.Key.Text).Warn())
	default:
		s.task.Retries = s.count(f.Value, defaultRetries(s.task.Do))
		s.task.RetriesAt = f.Key.Span
	}
}

// defaultRetries is how often a step is tried again that does not say: only a model's reply comes without effects and may be
// better the next time.
func defaultRetries(do ir.Op) int {
	if asksModel(do) {
		return 1
	}

	return 0
}

// asksModel reports whether a step asks an agent that the workflow declares.
func asksModel(do ir.Op) bool {
	run, isRun := do.(*ir.Run)

	return isRun && run.Step != nil
}

// timeout takes the bound of a call.
func (s *step) timeout(config *yamldoc.Node) time.Duration {
	f, older := config.Get("timeout_s"), config.Get("timeout")
	if f != nil && older != nil {
		s.report(diag.New(diag.UnusedField, older.Key.Span, "field %q is not used beside timeout_s", older.Key.Text).Warn())
	}
	if f = cmp.Or(f, older); f == nil {
		return 0
	}
	if _, calls := s.task.Do.(*ir.UseFunc); calls || s.task.Do == nil || asksModel(s.task.Do) {
		return s.seconds(f.Value)
	}
	s.report(diag.New(diag.UnusedField, f.Key.Span, "field %q is not used: step %q calls neither a model nor a function itself",
		f.Key.Text, s.task.Name.Value).WithHint("write it at the steps that do").Warn())

	return 0
}

// inside is the frame of a pipeline that the step runs.
func (s *step) inside(kind frameKind, input ir.Type) *frame {
	f := s.at.inside(kind, input)
	f.fallback = s.fallback

	return f
}

// behind is the place behind the pipelines that the step runs.
func (s *step) behind() spot { return spot{frame: s.at.frame, index: s.at.index, behind: true} }

// The kinds of steps that are known by name elsewhere.
const (
	kindStep    = "step"
	kindMachine = "StateMachine"
)

// kind is what the step does.
func (s *step) kind() string {
	if kind, ok := s.node.Value("kind").Scalar(); ok {
		return kind
	}

	return kindStep
}

// work lowers what the step does, and says what is known of its output. A kind that is none has been reported.
func (s *step) work() {
	switch s.kind() {
	case kindStep:
		s.call()
	case kindMachine:
		s.stateMachine()
	case "conditional":
		s.conditional()
	case "loop":
		s.loop()
	case "map":
		s.each()
	case "parallel":
		s.fork()
	case "hitl":
		s.hitl()
	}
	if s.task.Do == nil {
		s.document.faulty = true
	}
}

// hitl lowers a question to a person.
func (s *step) hitl() {
	s.input()
	do := &ir.Ask{}
	s.task.Do = do
	s.task.Type = textType
	if schema := s.schema(s.node.Value("input_schema")); schema != nil {
		do.Answer = ir.Type{Schema: schema, Owner: ir.OwnerAnswer, Of: s.name() + "/" + s.task.Name.Value}
		// Two steps of one name whose answers differ have one Go type between them: that of the first.
		if slices.ContainsFunc(s.answers, func(known ir.Type) bool {
			return known.Owner == ir.OwnerAnswer && known.Of == do.Answer.Of && !alike(known.Schema, schema)
		}) {
			do.Answer = dynamic(do.Answer)
		}
		s.task.Type = do.Answer
	}
	s.answers = append(s.answers, s.task.Type)
	if message := textIn(s.node.Value("message")); message.Value != "" {
		s.later = append(s.later, func() { do.Message = s.template(message, s.scope(s.at)) })
	}
}
