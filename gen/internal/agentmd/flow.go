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
var patterns = map[string]func(*flowBuilder) []ir.Op{
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
func (l *loader) newFlow(d *document, lower func(*flowBuilder) []ir.Op) *ir.Flow {
	b := &flowBuilder{
		loader:   l,
		document: d,
		flow:     &ir.Flow{Kind: d.pattern, Partial: l.IsFaulty(d.agent.File)},
		written:  l.written(d.head.Value("call").Value("model")),
	}
	b.flow.Body = withoutNameless(lower(b))

	return b.flow
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

func run(name string, step *ir.Step, input ir.Expr) *ir.Run {
	return &ir.Run{Var: name, Step: step, Input: input}
}

// runLast runs what gives the flow its key, so that whatever is legal where the flow runs is legal there.
func runLast(name string, step *ir.Step, input ir.Expr) *ir.Run {
	return &ir.Run{Var: name, Step: step, Input: input, At: ir.Place{Kind: ir.PlaceOuter}}
}

// judged runs a step that may end a loop: a react loop by the key done, a oneshot by its first word.
func judged(name string, step *ir.Step, input ir.Expr) *ir.Run {
	r := run(name, step, input)
	if _, react := step.Node.(*ir.React); react {
		r.At = ir.Place{Kind: ir.PlaceOpen, State: step.Name.Value, Keys: []string{ir.DoneKey}}
	}

	return r
}

// saysDone holds when the result of [judged] ends the loop.
func saysDone(name string, step *ir.Step) ir.Cond {
	if _, react := step.Node.(*ir.React); react {
		return ir.KeyIs{Var: name, Key: ir.DoneKey}
	}

	return ir.SaysDone{Var: name}
}

func let(name string, value ir.Expr) *ir.Set { return &ir.Set{Var: name, New: true, Value: value} }

// note adds to notes.
func note(notes string, sections ...ir.Section) *ir.Set {
	return &ir.Set{Var: notes, Value: ir.Notes{Base: notes, Sections: sections}}
}

func done(result string) *ir.Return { return &ir.Return{Key: ir.KeyDone, Var: result} }

func own(result string) *ir.Return { return &ir.Return{Key: ir.KeyOwn, Var: result} }

func brief(sections ...ir.Section) ir.Brief { return ir.Brief{Sections: sections} }

// task is the section that nearly every brief begins with.
func task() ir.Section { return section("task", ir.Input{}) }

func section(title string, text ir.Expr) ir.Section { return ir.Section{Title: title, Text: text} }

func value(result string) ir.Value { return ir.Value{Var: result} }

// agent resolves the agent that a field names. That there is none is a diagnostic of the checks; that the field is missing
// one of the schema.
func (b *flowBuilder) agent(field string) *ir.AgentRef {
	name := frontend.Text(b.field(field))

	return &ir.AgentRef{Text: name, Agent: b.loader.Agent(name.Value)}
}

// agents runs the agents that a field lists, each once: what runs side by side is distinguished by name.
func (b *flowBuilder) agents(field string, input ir.Expr) []*ir.Run {
	var runs []*ir.Run
	names := frontend.Texts(b.field(field))
	for _, name := range b.loader.once("agent", names) {
		runs = append(runs, &ir.Run{Agent: &ir.AgentRef{Text: name, Agent: b.loader.Agent(name.Value)}, Input: input})
	}
	b.flow.Partial = b.flow.Partial || len(runs) < len(names)

	return runs
}

// withoutNameless drops the runs of agents that the file fails to name, which the schema has reported.
func withoutNameless(body []ir.Op) []ir.Op {
	return slices.DeleteFunc(body, func(op ir.Op) bool {
		if group, ok := op.(*ir.Parallel); ok && len(group.Branches) == 1 {
			op = group.Runs()[0]
		}
		run, ok := op.(*ir.Run)

		return ok && run.Agent != nil && run.Agent.Value == ""
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
	b.flow.Steps = append(b.flow.Steps, s)

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
