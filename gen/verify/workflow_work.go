package verify

import (
	"strconv"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// call is what a step does: a value and, if it can fail, an error. It is "" for a step that gives on what it is given.
func (s *steps) call(t *ir.Task) (call string, fails bool) {
	switch do := t.Do.(type) {
	case *ir.PassOn:
		return s.giveOn(t), false
	case *ir.UseBuiltin:
		return s.builtin(t, do)
	}

	return s.fallible(t), true
}

// giveOn is what a step gives on without doing anything: its input, if it has one of its own.
func (s *steps) giveOn(t *ir.Task) string {
	if t.Input == nil {
		return ""
	}

	return s.given(t)
}

func (s *steps) fallible(t *ir.Task) string {
	switch do := t.Do.(type) {
	case *ir.UseAgent:
		return s.agent(t, do.Agent)
	case *ir.UseContained:
		return "workflow.Result(r.app." + names.RunAt(do.Agent.Agent.Name.Value) + "(r.Fx(), " + s.givenText(t) + ", runtime.Free))"
	case *ir.UseFunc:
		return funcCall(do.Func, s.argument(t, do))
	case *ir.Hitl:
		question := ""
		if do.Message != nil {
			question = s.template(do.Message)
		} else {
			question = s.givenText(t)
		}
		return ask(t, question, do.Answer)
	case *ir.Conditional:
		if do.Key != nil {
			return s.method(names.Choose, t, s.key(do.Key)+", ")
		}
		return s.method(names.Choose, t, "")
	case *ir.Repeat:
		return s.method(names.Repeat, t, "")
	case *ir.Each:
		return s.method(names.Each, t, "")
	case *ir.Fork:
		return s.method(names.Fork, t, "")
	case *ir.Import:
		return s.method(names.Import, t, "")
	}

	return s.method(names.Walk, t, "")
}

// given is what a step is given.
func (s *steps) given(t *ir.Task) string {
	if t.Input == nil {
		return s.last
	}

	return s.datum(t.Input)
}

// givenText is what a step is given, as a text.
func (s *steps) givenText(t *ir.Task) string {
	if t.Input != nil && t.Input.Kind == ir.DatumText {
		return s.template(t.Input.Text)
	}

	return s.given(t) + ".String()"
}

func (s *steps) agent(t *ir.Task, agent *ir.Step) string {
	if agent.Template != nil {
		return "r." + names.AskAgent(agent.Name.Value) + "(" + s.given(t) + ")"
	}

	return "r.Agent(&" + names.Spec(agent.Label(s.w.agent)) + ", " + s.given(t) + ")"
}

// funcCall is the call of a method of Funcs.
func funcCall(f *ir.Func, argument string) string {
	args := quoted(f.Name.Value) + ", " + argument + ", r.app." + names.ApplyFunc(f.Name.Value)
	if f.Output == nil {
		return "r.Call(" + args + ")"
	}

	return "r.CallChecked(" + args + ", runtime.CheckValue(read" + names.FuncResult(f.Name.Value) + "))"
}

// argument is what a function is called with: fields of the step's input win over those of the parameters.
func (s *steps) argument(t *ir.Task, do *ir.UseFunc) string {
	params, input := do.Params, t.Input
	switch {
	case params == nil:
		return s.given(t)
	case input == nil:
		return s.datum(params)
	case input.Kind != ir.DatumFields || params.Kind != ir.DatumFields:
		return s.given(t)
	}

	at := map[string]int{}
	var fields []ir.DatumField
	for _, f := range append(params.Fields[:len(params.Fields):len(params.Fields)], input.Fields...) {
		if i, again := at[f.Name.Value]; again {
			fields[i] = f
			continue
		}
		at[f.Name.Value] = len(fields)
		fields = append(fields, f)
	}

	return s.object(fields)
}

// ask is the call that asks a person.
func ask(t *ir.Task, question string, answer ir.Type) string {
	spec := "nil"
	if answer.Schema != nil {
		spec = "&" + names.AnswerSpec(answer.Of)
	}

	return "r.Ask(" + quoted(t.Name.Value) + ", " + question + ", " + spec + ")"
}

// method is the call of the method that does the work of a step. key is what stands before its input.
func (s *steps) method(verb names.Verb, t *ir.Task, key string) string {
	return "r." + names.Work(verb, s.at, t.Name.Value) + "(" + key + s.given(t) + ")"
}

// key is the key of a branch as a text.
func (s *steps) key(f *ir.Formula) string {
	if t := s.term(f.Root); t.kind == ir.SchemaBoolean && len(t.needs) == 0 {
		return "strconv.FormatBool(" + s.condition(f.Root).text + ")"
	} else {
		return "workflow.BranchKey(" + t.value() + ")"
	}
}

// tried is the work of a step as often as it is tried.
func (s *steps) tried(t *ir.Task, call string) string {
	if t.Retries == 0 && t.Timeout == 0 && t.Tokens == 0 && t.USD == 0 && t.Fallback == nil {
		return call
	}
	name, rest := "Try", ""
	if t.Fallback != nil {
		name, rest = "TryElse", ", "+s.fallback(t)
	}
	receiver := "r." + name + "("
	if len(t.Pipelines()) > 0 {
		receiver = "workflow." + name + "(r, "
	}

	return receiver + policy(t) + ", " + attempt("return "+call) + rest + ")"
}

func attempt(body string) string { return "func() (workflow.Value, error) {\n" + body + "\n}" }

// fallback is what stands in for a step: another one, with the same input if it has none of its own.
func (s *steps) fallback(t *ir.Task) string {
	other := *t.Fallback
	if other.Input == nil {
		other.Input = t.Input
	}
	inner := &steps{scope: s.scope, at: s.at}
	inner.run([]*ir.Task{&other})

	return attempt(flat(inner.list))
}

// policy is how a step is tried.
func policy(t *ir.Task) string {
	text := "workflow.Policy{Step: " + quoted(t.Name.Value)
	if t.Retries > 0 {
		text += ", Retries: " + strconv.Itoa(t.Retries)
	}
	if t.Timeout > 0 {
		text += ", Timeout: " + duration(t.Timeout)
	}
	if t.Tokens > 0 {
		text += ", Tokens: " + strconv.Itoa(t.Tokens)
	}
	if t.USD > 0 {
		text += ", USD: " + decimal(t.USD)
	}

	return text + "}"
}
