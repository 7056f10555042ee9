package agentmd

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// patterns maps each pattern of several conversations to the function that lowers it.
var patterns = map[string]func(*flowBuilder) []*ir.Task{
	"scatter":               (*flowBuilder).lowerScatter,
	"parallel":              (*flowBuilder).lowerParallel,
	"critic":                (*flowBuilder).lowerCritic,
	"reflexion":             (*flowBuilder).lowerReflexion,
	"constitutional":        (*flowBuilder).lowerConstitutional,
	"chain-of-verification": (*flowBuilder).lowerVerification,
	"plan-execute":          (*flowBuilder).lowerPlanExecute,
	"debate":                (*flowBuilder).lowerDebate,
	"best-of-n":             (*flowBuilder).lowerBestOfN,
	"human":                 (*flowBuilder).lowerHuman,
}

// flowBuilder lowers one flow.
type flowBuilder struct {
	loader   *loader
	document *document
	flow     *ir.Flow
	// written is the model call of AGENT.md, which the steps inherit.
	written ir.Call
}

// lowerFlow lowers a pattern of several conversations.
func (l *loader) lowerFlow(d *document, lower func(*flowBuilder) []*ir.Task) *ir.Flow {
	b := &flowBuilder{
		loader:   l,
		document: d,
		flow:     &ir.Flow{Kind: d.pattern, Partial: l.IsFaulty(d.agent.File)},
		written:  l.modelCall(d.head.Value("call").Value("model")),
	}
	b.flow.Body = ir.NewPipeline(dropNamelessRuns(lower(b))...)
	b.flow.Body.Description = "pattern " + d.pattern
	namePipelines(b.flow.Body)

	return b.flow
}

// namePipelines names nested pipelines after the tasks around them.
func namePipelines(around *ir.Pipeline) {
	for _, t := range around.Tasks {
		for _, inside := range t.Pipelines() {
			inside.Name = append(slices.Clone(around.Name), t.Name.Value)
			inside.Description = "body of " + t.Name.Value
			namePipelines(inside)
		}
	}
}

// fieldValue returns the value of a field of AGENT.md.
func (b *flowBuilder) fieldValue(name string) *yamldoc.Node { return b.document.head.Value(name) }

func (b *flowBuilder) readLimit(field string, fallback int) int {
	return b.loader.ReadLimit(b.fieldValue(field), fallback)
}

// defaultConcurrency is the default number of parallel runs.
const defaultConcurrency = 8

func (b *flowBuilder) readConcurrency() int {
	return b.readLimit("max_concurrency", defaultConcurrency)
}

// report adds an error. The flow is then incomplete.
func (b *flowBuilder) report(d *diag.Diagnostic) {
	b.flow.Partial = true
	b.loader.List.Add(d)
}

// The operations and texts of most patterns. Results have the names of variables in the generated
// Go.

// flowVariables holds the results and texts of one flow by name, so that readers and writers of a
// variable share it.
type flowVariables map[string]*ir.Output

func (v flowVariables) outputNamed(name string) *ir.Output {
	if v[name] == nil {
		v[name] = ir.NewOutput(name)
	}

	return v[name]
}

// taskNamed returns a task whose output has a name.
func (v flowVariables) taskNamed(name string, do ir.Op, input ir.Expression) *ir.Task {
	t := &ir.Task{Name: ir.Text{Value: name}, Do: do, Output: v.outputNamed(name)}
	if input != nil {
		t.Input = ir.ExpressionDatum(input)
	}

	return t
}

func (v flowVariables) runTask(name string, step *ir.Step, input ir.Expression) *ir.Task {
	return v.taskNamed(name, &ir.Run{Step: step}, input)
}

// runLast runs the step whose key becomes the flow's. The keys that are legal for the flow are
// legal in it.
func (v flowVariables) runLast(name string, step *ir.Step, input ir.Expression) *ir.Task {
	return v.taskNamed(name, &ir.Run{Step: step, At: ir.Place{Kind: ir.PlaceOuter}}, input)
}

// runJudge runs a step that may end a loop: a react loop by the key done, a oneshot by its first
// word.
func (v flowVariables) runJudge(name string, step *ir.Step, input ir.Expression) *ir.Task {
	do := &ir.Run{Step: step}
	if _, react := step.Node.(*ir.React); react {
		do.At = ir.Place{Kind: ir.PlaceOpen, State: step.Name.Value, Keys: []string{ir.DoneKey}}
	}

	return v.taskNamed(name, do, input)
}

// isAccepted is true when the result of [flowVariables.runJudge] ends the loop.
func (v flowVariables) isAccepted(name string, step *ir.Step) ir.Expression {
	if _, react := step.Node.(*ir.React); react {
		return ir.KeyTest{Of: v.outputNamed(name), Key: ir.DoneKey}.Expression()
	}

	return &ir.SaysDone{X: v.valueOf(name)}
}

// assignTask sets a variable.
func (v flowVariables) assignTask(name string, value ir.Expression) *ir.Task {
	return v.taskNamed(name, &ir.PassOn{}, value)
}

// appendNotes appends sections to notes.
func (v flowVariables) appendNotes(notes string, sections ...ir.Section) *ir.Task {
	return v.assignTask(notes, &ir.Notes{Base: v.valueOf(notes), Sections: sections})
}

func (v flowVariables) returnDone(result string) *ir.Task {
	return returnTask(ir.KeyDone, v.valueOf(result))
}

func (v flowVariables) returnOwn(result string) *ir.Task {
	return returnTask(ir.KeyOwn, v.valueOf(result))
}

func (v flowVariables) valueOf(name string) ir.Expression {
	return ir.OutputAccess(v.outputNamed(name))
}

func (v flowVariables) reportOf(name string) ir.Expression { return &ir.Report{X: v.valueOf(name)} }

// The tasks without a named output.

func returnTask(key ir.ReturnKey, value ir.Expression) *ir.Task {
	return unnamedTask("return", &ir.Return{Key: key}, value)
}

// runIf runs tasks on a condition. The name describes the condition.
func runIf(name string, condition ir.Expression, then ...*ir.Task) *ir.Task {
	return unnamedTask(name, ir.NewCondition(condition, then...), nil)
}

// unnamedTask returns a task without a named output.
func unnamedTask(name string, do ir.Op, input ir.Expression) *ir.Task {
	t := &ir.Task{Name: ir.Text{Value: name}, Do: do}
	if input != nil {
		t.Input = ir.ExpressionDatum(input)
	}

	return t
}

// sequentialLoop returns a loop with one turn at a time. Its body keeps the results.
func sequentialLoop(body ...*ir.Task) *ir.Loop {
	return &ir.Loop{Body: ir.NewPipeline(body...), Width: 1, OnBound: ir.BoundDone, Reduce: ir.ReduceLast}
}

// parallelLoop returns a loop that runs a task up to width times at once and returns all outcomes.
func parallelLoop(width int, do *ir.Task) *ir.Loop {
	return &ir.Loop{
		Body: ir.NewPipeline(do), Width: width, OnBound: ir.BoundDone, Failed: ir.FailureReported, Reduce: ir.ReduceResults,
	}
}

// parallelRuns returns branches that each run one task in parallel.
func parallelRuns(width int, runs []*ir.Task) *ir.Parallel {
	arms := ir.Map(runs, func(run *ir.Task) *ir.Arm { return &ir.Arm{Name: run.Name, Body: ir.NewPipeline(run)} })

	return &ir.Parallel{
		Branches: arms, Width: width, Merge: ir.MergeNone, Failed: ir.FailureReported, Reduce: ir.ReduceResults,
	}
}

func newBrief(sections ...ir.Section) ir.Expression { return ir.NewReport(nil, sections...) }

// taskSection is the first section of nearly every brief.
func taskSection() ir.Section { return newSection("task", ir.InputAccess()) }

func newSection(title string, text ir.Expression) ir.Section {
	return ir.Section{Title: title, Text: text}
}

// agentRef resolves the agent that a field names. The checks report an undefined agent, and the
// schema a missing field.
func (b *flowBuilder) agentRef(field string) *ir.AgentRef {
	name := frontend.Text(b.fieldValue(field))

	return &ir.AgentRef{Text: name, Agent: b.loader.FindAgent(name.Value)}
}

// runAgents returns a task for each agent that a field lists, each once: parallel runs are
// distinguished by name.
func (b *flowBuilder) runAgents(field string, input ir.Expression) []*ir.Task {
	var runs []*ir.Task
	names := frontend.Texts(b.fieldValue(field))
	for _, name := range b.loader.dropRepeated("agent", names) {
		ref := &ir.AgentRef{Text: name, Agent: b.loader.FindAgent(name.Value)}
		runs = append(runs, &ir.Task{Name: name, Do: &ir.Run{Agent: ref}, Input: ir.ExpressionDatum(input)})
	}
	b.flow.Partial = b.flow.Partial || len(runs) < len(names)

	return runs
}

// dropNamelessRuns drops runs of agents without a name, which the schema has reported, and loops
// around them.
func dropNamelessRuns(body []*ir.Task) []*ir.Task {
	return slices.DeleteFunc(body, func(t *ir.Task) bool {
		if inside := t.Pipelines(); len(inside) == 1 && len(inside[0].Tasks) == 1 {
			t = inside[0].Tasks[0]
		}
		run, isRun := t.Do.(*ir.Run)

		return isRun && run.Agent != nil && run.Agent.Value == ""
	})
}

// inheritOutput gives the schema of AGENT.md to steps whose value can be the flow's, unless they
// have their own.
func (b *flowBuilder) inheritOutput(steps ...*ir.Step) {
	schema := b.loader.lowerSchema(b.fieldValue("output"))
	for _, s := range steps {
		if output, _ := outputOf(s); *output == nil {
			*output = schema
		}
	}
}

// outputOf returns the fields of a step for the schema of its value and for its list rule.
func outputOf(s *ir.Step) (**ir.Schema, **ir.ListRule) {
	if react, ok := s.Node.(*ir.React); ok {
		return &react.Output, &react.List
	}
	oneshot := s.Node.(*ir.Oneshot)

	return &oneshot.Output, &oneshot.List
}

// defaultMaxItems is the default limit of a list that a model writes.
const defaultMaxItems = 1000

// setListOutput makes the value of a step a list if it comes with the key, or with any key if that
// is empty. In the latter case a schema of the value is unused.
func (b *flowBuilder) setListOutput(s *ir.Step, kind ir.ListKind, key string) *ir.Step {
	output, list := outputOf(s)
	if key == "" && *output != nil {
		b.loader.List.Add(diag.New(diag.UnusedField, (*output).Span,
			"the schema of the value is not used: this step writes a list").
			WithHint("leave output out"))
		*output = nil
	}
	*list = &ir.ListRule{Kind: kind, Key: key, Max: b.readLimit("max_items", defaultMaxItems)}

	return s
}

// addBodyStep adds the body of AGENT.md as the flow's next conversation.
func (b *flowBuilder) addBodyStep(node ir.Node) *ir.Step {
	a := b.document.agent
	if isBlank(a.Prompt) {
		b.report(diag.New(diag.BadValue, a.PatternAt.Span,
			"the body of AGENT.md, which pattern %q has as a prompt, is empty", b.flow.Kind).
			WithHint("write below the frontmatter what the model has to do"))
	}
	s := &ir.Step{File: a.File, Prompt: a.Prompt, Call: withDefaultRole(b.written, ir.DefaultRole), Node: node}
	b.flow.Conversations = append(b.flow.Conversations, s)

	return s
}

// checkPrompt warns of an agent with an empty prompt. It is not an error, because its input may
// suffice.
func (l *loader) checkPrompt(a *ir.Agent) {
	if !isBlank(a.Prompt) || l.IsFaulty(a.File) {
		return
	}
	l.List.Add(diag.New(diag.BadValue, a.PatternAt.Span,
		"the body of AGENT.md, which pattern %q has as its prompt, is empty: the model gets nothing but its task", a.PatternAt.Value).
		WithHint("write below the frontmatter what the model has to do").Warn())
}

// bodyOneshot returns the node for the body of AGENT.md as a oneshot.
func (b *flowBuilder) bodyOneshot() *ir.Oneshot { return &ir.Oneshot{Repair: defaultRepair} }

// bodyLoop returns the node for the body of AGENT.md as a react loop with its skills.
func (b *flowBuilder) bodyLoop(maxIter int) *ir.React {
	return &ir.React{
		MaxIter: maxIter,
		Repair:  defaultRepair,
		Stuck:   defaultStuck,
		Uses:    b.loader.lowerUses(b.fieldValue("call").Value("uses")),
	}
}

// isBlank reports whether a prompt is empty.
func isBlank(prompt ir.Text) bool { return strings.TrimSpace(prompt.Value) == "" }
