package agentmd

import (
	"github.com/agentc-dev/agentc/gen/diag"
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
	// err is that of the first step file that could not be read.
	err error
}

// newFlow lowers a pattern of several conversations. The error is that of a step file that could not be read.
func (l *loader) newFlow(d *document, lower func(*flowBuilder) []ir.Op) (*ir.Flow, error) {
	b := &flowBuilder{
		loader:   l,
		document: d,
		flow:     &ir.Flow{Kind: d.pattern, Partial: l.IsFaulty(d.agent.File)},
		written:  l.written(d.head.Value("call").Value("model")),
	}
	b.flow.Body = withoutNameless(lower(b))

	return b.flow, b.err
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

// fail keeps the first error of a step file that could not be read, if it is one.
func (b *flowBuilder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// The operations and texts that most patterns have. The names of results are those of variables in the generated Go.

func run(name string, step *ir.Step, input ir.Expr) *ir.Run {
	return &ir.Run{Var: name, Step: step, Input: input}
}

// runLast runs what gives the flow its key, so that whatever is legal where the flow stands is legal there.
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
