package agentmd

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// patterns lowers each pattern that is neither a machine nor a single conversation to what happens in it.
var patterns = map[string]func(*flowBuilder) []*ir.Task{
	"scatter":               (*flowBuilder).scatter,
	"parallel":              (*flowBuilder).parallel,
	"critic":                (*flowBuilder).critic,
	"reflexion":             (*flowBuilder).reflexion,
	"constitutional":        (*flowBuilder).constitutional,
	"chain-of-verification": (*flowBuilder).chainOfVerification,
	"plan-execute":          (*flowBuilder).planExecute,
	"debate":                (*flowBuilder).debate,
	"best-of-n":             (*flowBuilder).bestOfN,
	"human":                 (*flowBuilder).human,
}

// flowBuilder builds one flow.
type flowBuilder struct {
	loader   *loader
	document *document
	flow     *ir.Flow
	// written is what AGENT.md says about the model, for its steps to inherit.
	written ir.Call
}

// newFlow lowers a pattern of several conversations.
func (l *loader) newFlow(d *document, lower func(*flowBuilder) []*ir.Task) *ir.Flow {
	b := &flowBuilder{
		loader:   l,
		document: d,
		flow:     &ir.Flow{Kind: d.pattern, Partial: l.IsFaulty(d.agent.File)},
		written:  l.written(d.head.Value("call").Value("model")),
	}
	b.flow.Body = ir.Sequence(withoutNameless(lower(b))...)
	b.flow.Body.What = "pattern " + d.pattern
	namePipelines(b.flow.Body)

	return b.flow
}

// namePipelines gives the pipelines inside of another their names: those of the tasks around them.
func namePipelines(around *ir.Pipeline) {
	for _, t := range around.Tasks {
		for _, inside := range t.Pipelines() {
			inside.Name = append(slices.Clone(around.Name), t.Name.Value)
			inside.What = "body of " + t.Name.Value
			namePipelines(inside)
		}
	}
}

// field returns the value of a field of AGENT.md.
func (b *flowBuilder) field(name string) *yamldoc.Node { return b.document.head.Value(name) }

func (b *flowBuilder) limit(field string, fallback int) int {
	return b.loader.Limit(b.field(field), fallback)
}

// defaultConcurrency bounds what runs side by side.
const defaultConcurrency = 8

func (b *flowBuilder) concurrency() int { return b.limit("max_concurrency", defaultConcurrency) }

// report adds an error because of which something in the flow is missing.
func (b *flowBuilder) report(d *diag.Diagnostic) {
	b.flow.Partial = true
	b.loader.List.Add(d)
}

// The operations and texts that most patterns have. The names of results are those of variables in the generated Go.

// flowVariables has the results and texts of one flow, by name: each once, so that those who read it and those who assign it have the
// same.
type flowVariables map[string]*ir.Output

func (v flowVariables) named(name string) *ir.Output {
	if v[name] == nil {
		v[name] = ir.Variable(name)
	}

	return v[name]
}

// task returns a task whose output has a name.
func (v flowVariables) task(name string, do ir.Op, input ir.Expression) *ir.Task {
	t := &ir.Task{Name: ir.Text{Value: name}, Do: do, Output: v.named(name)}
	if input != nil {
		t.Input = ir.Given(input)
	}

	return t
}

func (v flowVariables) run(name string, step *ir.Step, input ir.Expression) *ir.Task {
	return v.task(name, &ir.Run{Step: step}, input)
}

// runLast runs what gives the flow its key, so that whatever is legal where the flow runs is legal there.
func (v flowVariables) runLast(name string, step *ir.Step, input ir.Expression) *ir.Task {
	return v.task(name, &ir.Run{Step: step, At: ir.Place{Kind: ir.PlaceOuter}}, input)
}

// judged runs a step that may end a loop: a react loop by the key done, a oneshot by its first word.
func (v flowVariables) judged(name string, step *ir.Step, input ir.Expression) *ir.Task {
	do := &ir.Run{Step: step}
	if _, react := step.Node.(*ir.React); react {
		do.At = ir.Place{Kind: ir.PlaceOpen, State: step.Name.Value, Keys: []string{ir.DoneKey}}
	}

	return v.task(name, do, input)
}

// saysDone holds when the result of [flowVariables.judged] ends the loop.
func (v flowVariables) saysDone(name string, step *ir.Step) ir.Expression {
	if _, react := step.Node.(*ir.React); react {
		return ir.KeyTest{Of: v.named(name), Key: ir.DoneKey}.Expression()
	}

	return &ir.SaysDone{X: v.value(name)}
}

// assign gives a variable a value.
func (v flowVariables) assign(name string, value ir.Expression) *ir.Task {
	return v.task(name, &ir.PassOn{}, value)
}

// note adds to notes.
func (v flowVariables) note(notes string, sections ...ir.Section) *ir.Task {
	return v.assign(notes, &ir.Notes{Base: v.value(notes), Sections: sections})
}

func (v flowVariables) done(result string) *ir.Task { return returning(ir.KeyDone, v.value(result)) }

func (v flowVariables) own(result string) *ir.Task { return returning(ir.KeyOwn, v.value(result)) }

func (v flowVariables) value(name string) ir.Expression { return ir.ValueOf(v.named(name)) }

func (v flowVariables) report(name string) ir.Expression { return &ir.Report{X: v.value(name)} }

// The tasks whose outputs nothing names.

func returning(key ir.ReturnKey, value ir.Expression) *ir.Task {
	return unnamed("return", &ir.Return{Key: key}, value)
}

// when does tasks on a condition; name says what the condition is about.
func when(name string, condition ir.Expression, then ...*ir.Task) *ir.Task {
	return unnamed(name, ir.When(condition, then...), nil)
}

// unnamed returns a task whose output nothing names.
func unnamed(name string, do ir.Op, input ir.Expression) *ir.Task {
	t := &ir.Task{Name: ir.Text{Value: name}, Do: do}
	if input != nil {
		t.Input = ir.Given(input)
	}

	return t
}

// inTurn returns a loop whose turns are one after another and whose results its body keeps itself.
func inTurn(body ...*ir.Task) *ir.Loop {
	return &ir.Loop{Body: ir.Sequence(body...), Width: 1, OnBound: ir.BoundDone, Reduce: ir.ReduceLast}
}

// sideBySide returns a loop that does a task so many times at once and gives how each ended.
func sideBySide(width int, do *ir.Task) *ir.Loop {
	return &ir.Loop{
		Body: ir.Sequence(do), Width: width, OnBound: ir.BoundDone, Failed: ir.FailureReported, Reduce: ir.ReduceResults,
	}
}

// together returns branches that run something each, side by side.
func together(width int, runs []*ir.Task) *ir.Parallel {
	arms := ir.Map(runs, func(run *ir.Task) *ir.Arm { return &ir.Arm{Name: run.Name, Body: ir.Sequence(run)} })

	return &ir.Parallel{
		Branches: arms, Width: width, Merge: ir.MergeNone, Failed: ir.FailureReported, Reduce: ir.ReduceResults,
	}
}

func brief(sections ...ir.Section) ir.Expression { return ir.Brief(nil, sections...) }

// task is the section that nearly every brief begins with.
func task() ir.Section { return section("task", ir.GivenText()) }

func section(title string, text ir.Expression) ir.Section {
	return ir.Section{Title: title, Text: text}
}

// agent resolves the agent that a field names. That there is none is a diagnostic of the checks; that the field is missing
// one of the schema.
func (b *flowBuilder) agent(field string) *ir.AgentRef {
	name := frontend.Text(b.field(field))

	return &ir.AgentRef{Text: name, Agent: b.loader.Agent(name.Value)}
}

// agents runs the agents that a field lists, each once: what runs side by side is distinguished by name.
func (b *flowBuilder) agents(field string, input ir.Expression) []*ir.Task {
	var runs []*ir.Task
	names := frontend.Texts(b.field(field))
	for _, name := range b.loader.once("agent", names) {
		ref := &ir.AgentRef{Text: name, Agent: b.loader.Agent(name.Value)}
		runs = append(runs, &ir.Task{Name: name, Do: &ir.Run{Agent: ref}, Input: ir.Given(input)})
	}
	b.flow.Partial = b.flow.Partial || len(runs) < len(names)

	return runs
}

// withoutNameless drops the runs of agents that the file fails to name, which the schema has reported, and what would run nothing but
// them.
func withoutNameless(body []*ir.Task) []*ir.Task {
	return slices.DeleteFunc(body, func(t *ir.Task) bool {
		if inside := t.Pipelines(); len(inside) == 1 && len(inside[0].Tasks) == 1 {
			t = inside[0].Tasks[0]
		}
		run, isRun := t.Do.(*ir.Run)

		return isRun && run.Agent != nil && run.Agent.Value == ""
	})
}

// giveOutput says that the value of each of the steps can be the flow's: the schema of AGENT.md is theirs where they have
// none of their own.
func (b *flowBuilder) giveOutput(steps ...*ir.Step) {
	schema := b.loader.schema(b.field("output"))
	for _, s := range steps {
		if output, _ := valueOf(s); *output == nil {
			*output = schema
		}
	}
}

// valueOf returns where a step keeps the schema of its value, and that it is a list.
func valueOf(s *ir.Step) (**ir.Schema, **ir.ListRule) {
	if react, ok := s.Node.(*ir.React); ok {
		return &react.Output, &react.List
	}
	oneshot := s.Node.(*ir.Oneshot)

	return &oneshot.Output, &oneshot.List
}

// defaultMaxItems bounds a list that a model writes.
const defaultMaxItems = 1000

// givesList says that the step's value is a list if it comes with the key; with every key if that is empty, so that there
// is no value for which a schema could count.
func (b *flowBuilder) givesList(s *ir.Step, kind ir.ListKind, key string) *ir.Step {
	output, list := valueOf(s)
	if key == "" && *output != nil {
		b.loader.List.Add(diag.New(diag.UnusedField, (*output).Span,
			"the schema of the value is not used: this step writes a list").
			WithHint("leave output out"))
		*output = nil
	}
	*list = &ir.ListRule{Kind: kind, Key: key, Max: b.limit("max_items", defaultMaxItems)}

	return s
}

// body makes the body of AGENT.md the flow's next conversation.
func (b *flowBuilder) body(node ir.Node) *ir.Step {
	a := b.document.agent
	if blank(a.Prompt) {
		b.report(diag.New(diag.BadValue, a.PatternAt.Span,
			"the body of AGENT.md, which pattern %q has as a prompt, is empty", b.flow.Kind).
			WithHint("write below the frontmatter what the model has to do"))
	}
	s := &ir.Step{File: a.File, Prompt: a.Prompt, Call: withRole(b.written, ir.DefaultRole), Node: node}
	b.flow.Conversations = append(b.flow.Conversations, s)

	return s
}

// wantPrompt warns of an agent whose body is its prompt and is empty. It is not an error: what the agent is handed may say all.
func (l *loader) wantPrompt(a *ir.Agent) {
	if !blank(a.Prompt) || l.IsFaulty(a.File) {
		return
	}
	l.List.Add(diag.New(diag.BadValue, a.PatternAt.Span,
		"the body of AGENT.md, which pattern %q has as its prompt, is empty: the model gets nothing but its task", a.PatternAt.Value).
		WithHint("write below the frontmatter what the model has to do").Warn())
}

// answer is the body of AGENT.md as a oneshot.
func (b *flowBuilder) answer() *ir.Oneshot { return &ir.Oneshot{Repair: defaultRepair} }

// loop is the body of AGENT.md as a react loop with its skills.
func (b *flowBuilder) loop(maxIter int) *ir.React {
	return &ir.React{
		MaxIter: maxIter,
		Repair:  defaultRepair,
		Stuck:   defaultStuck,
		Uses:    b.loader.uses(b.field("call").Value("uses")),
	}
}

// blank reports whether a prompt says nothing, so that a model would not know what to do.
func blank(prompt ir.Text) bool { return strings.TrimSpace(prompt.Value) == "" }
