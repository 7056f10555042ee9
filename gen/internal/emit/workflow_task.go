package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// taskWork is what a step does, as Go.
type taskWork struct {
	// code is a value, and an error too if fails is set; nil for a step that returns what it is given.
	code  *jen.Statement
	fails bool
	// before are statements before it.
	before []jen.Code
}

// infallible is the work of a step that cannot fail.
func infallible(code *jen.Statement) taskWork { return taskWork{code: code} }

// fallible is the work of a step that can fail.
func fallible(code *jen.Statement) taskWork { return taskWork{code: code, fails: true} }

// workOf returns what a step does.
func (b *paragraphs) workOf(t *ir.Task) taskWork {
	switch do := t.Do.(type) {
	case *ir.Run:
		return fallible(b.run(t, do))
	case *ir.UseFunc:
		return fallible(callFunc(do.Func, b.argument(t, do)))
	case *ir.UseBuiltin:
		return b.builtin(t, do)
	case *ir.Ask:
		return fallible(b.ask(t, b.message(t, do), do.Answer))
	case *ir.Branch:
		return b.conditional(t, do)
	}
	if verbs := names.VerbsOf(t.Do); verbs != nil {
		return b.method(t, verbs[0])
	}
	if t.Input == nil {
		return taskWork{}
	}

	return infallible(b.given(t))
}

// given returns what a step is given.
func (b *paragraphs) given(t *ir.Task) *jen.Statement {
	if t.Input == nil {
		return b.variable(b.value)
	}

	return b.datum(t.Input)
}

// givenText returns what a step is given as a text.
func (b *paragraphs) givenText(t *ir.Task) *jen.Statement {
	if t.Input != nil && t.Input.Kind == ir.DatumText {
		return b.template(t.Input.Text)
	}

	return b.given(t).Dot("String").Call()
}

// method returns the call of the method that does the work of a step.
func (b *paragraphs) method(t *ir.Task, verb names.Verb) taskWork {
	return fallible(jen.Id("r").Dot(names.Work(verb, b.at, t.Name.Value)).Call(b.given(t)))
}

// run returns the call that runs an agent, of the workflow or of the project.
func (b *paragraphs) run(t *ir.Task, do *ir.Run) *jen.Statement {
	switch {
	case do.Agent != nil:
		run := jen.Id("r").Dot("app").Dot(names.Run(do.Agent.Agent.Name.Value)).
			Call(jen.Id("r").Dot("Fx").Call(), b.givenText(t))
		return jen.Id("r").Dot("ResultOf").Call(run)
	case do.Step.Template != nil:
		return jen.Id("r").Dot(names.AskAgent(do.Step.Name.Value)).Call(b.given(t))
	}

	return jen.Id("r").Dot("Agent").Call(jen.Op("&").Id(names.Spec(do.Step.Label(b.w.name))), b.given(t))
}

// callFunc returns the call of a method of Funcs.
func callFunc(f *ir.Func, argument *jen.Statement) *jen.Statement {
	name := f.Name.Value
	args := []jen.Code{jen.Lit(name), argument, jen.Id("r").Dot("app").Dot(names.ApplyFunc(name))}
	if f.Output == nil {
		return jen.Id("r").Dot("Call").Call(args...)
	}

	return jen.Id("r").Dot("CallChecked").Call(append(args, checkOf(names.FuncResult(name)))...)
}

// argument returns what a function is called with: the step's input over the parameters of its agent, or one of them, or what
// the step is given.
func (b *paragraphs) argument(t *ir.Task, do *ir.UseFunc) *jen.Statement {
	switch {
	case do.Params == nil:
		return b.given(t)
	case t.Input == nil:
		return b.datum(do.Params)
	case t.Input.Kind != ir.DatumFields || do.Params.Kind != ir.DatumFields:
		return b.given(t)
	}

	return b.datum(&ir.Datum{Kind: ir.DatumFields, Fields: overlaid(do.Params.Fields, t.Input.Fields)})
}

// overlaid returns fields with others over them.
func overlaid(fields, over []ir.DatumField) []ir.DatumField {
	all := slices.Clone(fields)
	for _, field := range over {
		at := slices.IndexFunc(all, func(f ir.DatumField) bool { return f.Name.Value == field.Name.Value })
		if at < 0 {
			all = append(all, field)
			continue
		}
		all[at] = field
	}

	return all
}

// message returns the question of a step.
func (b *paragraphs) message(t *ir.Task, do *ir.Ask) *jen.Statement {
	if do.Message != nil {
		return b.template(do.Message)
	}

	return b.givenText(t)
}

// ask returns the call that asks a person.
func (b *paragraphs) ask(t *ir.Task, message *jen.Statement, answer ir.Type) *jen.Statement {
	spec := jen.Nil()
	if answer.Schema != nil {
		spec = jen.Op("&").Id(names.AnswerSpec(answer.Of))
	}

	return jen.Id("r").Dot("Ask").Call(jen.Lit(t.Name.Value), message, spec)
}

// conditional returns the call that chooses a branch. The key is read where the step is.
func (b *paragraphs) conditional(t *ir.Task, do *ir.Branch) taskWork {
	if do.Key == nil {
		return b.method(t, names.Choose)
	}
	var key *jen.Statement
	if s := b.scalar(do.Key.Root); s.kind == ir.SchemaBoolean && len(s.needs) == 0 {
		key = jen.Qual("strconv", "FormatBool").Call(b.formula(do.Key))
	} else {
		key = b.dynamic(do.Key.Root).Dot("BranchKey").Call()
	}
	work := fallible(jen.Id("r").Dot(names.Work(names.Choose, b.at, t.Name.Value)).Call(key, b.given(t)))
	work.before = []jen.Code{remark(do.Key.Text.Value)}

	return work
}

// tried returns the work of a step as often as it is tried.
func (b *paragraphs) tried(t *ir.Task, work taskWork) *jen.Statement {
	if t.Retries == 0 && t.Timeout == 0 && t.Tokens == 0 && t.USD == 0 && t.Fallback == nil {
		return work.code
	}

	name := "Try"
	works := []jen.Code{attempt(jen.Return(work.code))}
	if t.Fallback != nil {
		name = "TryElse"
		works = append(works, b.fallback(t))
	}
	if len(t.Pipelines()) > 0 {
		for i, work := range works {
			works[i] = inWorkflow("Undoing").Call(jen.Id("r"), work)
		}
	}

	return jen.Id("r").Dot(name).Call(append([]jen.Code{policy(t)}, works...)...)
}

// attempt returns a function that does the work once.
func attempt(statements ...jen.Code) *jen.Statement {
	return jen.Func().Params().Params(inWorkflow("Value"), jen.Error()).Block(statements...)
}

// fallback returns what runs when a step has failed: another step, with the same input if it has none of its own.
func (b *paragraphs) fallback(t *ir.Task) *jen.Statement {
	other := *t.Fallback
	if other.Input == nil {
		other.Input = t.Input
	}
	inner := &paragraphs{view: b.view, at: b.at}
	inner.tasks([]*ir.Task{&other})

	return attempt(inner.statements...)
}

// policy returns how a step is tried: on one line if it says no more than how often.
func policy(t *ir.Task) *jen.Statement {
	tries := fieldsOf("Step", jen.Lit(t.Name.Value), "Retries", t.Retries)
	bounds := fieldsOf("Timeout", t.Timeout, "Tokens", t.Tokens, "USD", t.USD)
	if len(bounds) == 0 {
		return inWorkflow("Policy").Add(tries.line())
	}

	return inWorkflow("Policy").Add(append(tries, bounds...).braces())
}
