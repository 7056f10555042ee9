package simulate

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// workSearch is what all runs of a workflow share.
type workSearch struct {
	*builder
	x          *explorer
	candidates *candidates
	// states are those of all machines: a stateID is a number in it, from 1.
	states []*ir.State
	ids    map[*ir.State]stateID
	// said is what the next person says, and left the newest error for which a state is left.
	said string
	left error
}

// workRun is a run of a workflow: what generated code embeds and drives, driven here by the steps
// of the representation.
type workRun struct {
	workflow.Run
	*workSearch
	agent *ir.Agent
	flow  *ir.Flow
	// outputs are those of the steps that have run. The map is never changed: what follows has a
	// copy.
	outputs map[*ir.Output]workflow.Value
	// input is that of the innermost pipeline, this the item of the innermost map, result what a
	// guard or an exit judges.
	input, this, result workflow.Value
	// next is the next_state of the newest output that has one, event how the state came out, and
	// leave leaves the innermost one for an answer if a row does.
	next  workflow.Value
	event string
	leave func(answer workflow.Value) error
}

func (b *builder) newSearch(n *node, a *ir.Agent) *workSearch {
	return &workSearch{builder: b, x: newExplorer(n), candidates: candidatesOf(a), ids: map[*ir.State]stateID{}}
}

// explore finds the runs of a workflow.
func (s *workSearch) explore(a *ir.Agent, most int) {
	contexts := s.contexts(a, s.alone[a])
	if len(contexts) == 0 {
		s.x.n.problem = "no initial context that was tried fits its schema"
		return
	}
	s.x.explore(most, func() (outcome, bool) {
		r := s.newRun(a)
		context := contexts[0]
		if len(contexts) > 1 {
			context = contexts[r.choose(len(contexts))]
		}
		if context.Len() > 0 {
			s.x.note(item{kind: kindGiven, turn: Turn{Value: context.JSON()}})
		}
		if r.Inherit(context) != nil {
			return outcome{}, false
		}
		key, err := r.whole()
		return outcome{key: key, value: unknown}, err == nil
	})
}

// whole does all steps and returns the key with which the workflow finishes.
func (r *workRun) whole() (key string, err error) {
	value, err := r.pipeline(r.flow.Body, unknown)
	finish := r.Finish
	if tasks := len(r.flow.Body.Tasks); tasks > 0 {
		if _, isMachine := r.flow.Body.Tasks[tasks-1].Do.(*ir.Machine); isMachine {
			finish = r.FinishMachine
		}
	}
	fin, err := finish(value, err)

	return r.named(workflow.Text(fin.Key)).String(), err
}

// newRun begins a run with an empty context, which need not fit.
func (s *workSearch) newRun(a *ir.Agent) *workRun {
	r := &workRun{workSearch: s, agent: a, flow: a.Node.(*ir.Flow), Run: workflow.Start(&effects{search: s}, a.Name.Value)}
	r.Bind()

	return r
}

// Bind gives a copy of the run a context of its own, whose schema it has to fit.
func (r *workRun) Bind() {
	schema := r.flow.Context
	if schema == nil {
		return
	}
	workflow.Declare(&r.Run, new(workflow.Value), func(v *rt.JSON) workflow.Value {
		context := withDefaults(schema, parsed(v.Literal()))
		if !isUnknown(context) && !sample.Fits(schema, context.JSON()) {
			v.Want("what the schema says")
		}
		return context
	})
}

// withDefaults returns an object with the defaults of its schema where it lacks a property.
func withDefaults(s *ir.Schema, v workflow.Value) workflow.Value {
	for _, p := range s.Properties {
		if p.Schema != nil && p.Schema.Default != "" && !v.Has(p.Name.Value) {
			v = v.Merge(workflow.Object(workflow.Member{Name: p.Name.Value, Value: parsed(p.Schema.Default)}))
		}
	}

	return v
}

// key is the same where the same can follow.
func (r *workRun) key() string {
	values := []workflow.Value{r.Context(), r.NextState(), r.CurrentState(), r.input, r.this, r.Answer(), r.next, r.StepName()}
	values = append(values, ir.Map(r.flow.Outputs, func(o *ir.Output) workflow.Value { return r.outputs[o] })...)
	var b strings.Builder
	for _, v := range values {
		b.WriteString(v.JSON())
		b.WriteByte(0)
	}

	return b.String() + r.event
}

// choose picks one of n ways to go on.
func (r *workRun) choose(n int) int { return r.x.choose(n, r.key) }

// decide returns whether a condition holds, or is unknown because something is missing. What is
// only known in a run is either true or false.
func (r *workRun) decide(x ir.Expression) workflow.Truth {
	t, isOpen := r.condition(x)
	if !isOpen {
		return t
	}
	holds := r.choose(2) == 0
	r.x.depends()

	return workflow.Known(holds)
}

// onGiven is what runs depend on that do what is not known.
const onGiven = "what the run is given"

// pipeline runs steps one after another.
func (r *workRun) pipeline(p *ir.Pipeline, input workflow.Value) (workflow.Value, error) {
	outer := r.input
	defer r.x.inside(p, outer.JSON())()
	defer func() { r.input = outer }()
	r.input = input
	value := input
	for _, t := range p.Tasks {
		var err error
		if value, err = r.task(t, t.Input, value); err != nil {
			return workflow.Value{}, err
		}
	}

	return value, nil
}

// task runs a step, as often as it is tried, and the one that is run instead when it fails.
func (r *workRun) task(t *ir.Task, data *ir.Datum, input workflow.Value) (value workflow.Value, err error) {
	defer r.x.inside(t, input.JSON())()
	tries, written := 0, data
	if do, isFunc := t.Do.(*ir.UseFunc); isFunc {
		written = do.Argument(data)
	}
	work := func() (workflow.Value, error) {
		tries++
		defer r.x.inside(t, strconv.Itoa(tries))()
		if written == nil {
			return r.work(t, input)
		}
		return r.work(t, r.datum(written))
	}
	policy := workflow.Policy{Step: t.Name.Value, Retries: t.Retries}
	other, run, hasSteps := t.Fallback, work, len(t.Pipelines()) > 0
	fallback := func() (workflow.Value, error) {
		r.take(r.x, t, CaseFallback, "")
		return r.task(other, cmp.Or(other.Input, data), input)
	}
	if hasSteps {
		run, fallback = workflow.Undoing(r, work), workflow.Undoing(r, fallback)
	}
	switch {
	case other != nil:
		value, err = r.TryElse(policy, run, fallback)
	case t.Retries > 0, hasSteps && (t.Timeout > 0 || t.Tokens > 0 || t.USD > 0):
		value, err = r.Try(policy, run)
	default:
		value, err = work()
	}
	if err == nil {
		err = r.keep(t, value)
	}
	if err != nil {
		return workflow.Value{}, r.WrapError(t.Name.Value, err)
	}

	if _, asks := t.Do.(*ir.Ask); asks && r.leave != nil {
		err = r.leave(value)
	}

	return value, err
}

// keep puts the output of a step where the step says.
func (r *workRun) keep(t *ir.Task, value workflow.Value) error {
	if text, _ := value.AsText(); text == mark && (t.Merges() || t.SinkTo != nil) {
		r.x.depends()
	} else if t.Merges() {
		if err := r.MergeContext(value); err != nil {
			return err
		}
	}
	if t.SinkTo != nil {
		if err := r.SetContext(value, names(t.SinkTo)...); err != nil {
			return err
		}
	}
	r.output(t.Output, value)
	r.RecordOutput(t.Name.Value, value)
	if next := value.Get(ir.NextState); value.IsObject() && next.IsText() {
		r.next = next
	}

	return nil
}

// output keeps the output of a step.
func (r *workRun) output(o *ir.Output, v workflow.Value) {
	outputs := map[*ir.Output]workflow.Value{o: v}
	for known, value := range r.outputs {
		if known != o {
			outputs[known] = value
		}
	}
	r.outputs = outputs
}

func names(p *ir.ContextPath) []string { return ir.Values(p.Path) }

// guard returns whether the guard of a row holds when a state gave a value.
func (r *workRun) guard(row *ir.Row, result workflow.Value) workflow.Truth {
	if row.When == nil {
		return workflow.Known(true)
	}

	return r.judge(row.When.Formula, result)
}

func (r *workRun) judge(f *ir.Formula, result workflow.Value) workflow.Truth {
	outer := r.result
	r.result = result
	defer func() { r.result = outer }()

	return r.decide(f.Root)
}

// errMissing is that a condition, or the key of branches, is unknown because something is missing.
var errMissing = errors.New("a value is missing")

// errFails is what fails where a script says so.
var errFails = errors.New("it fails")

// work does what a step does, with one of the answers that may make a difference.
func (r *workRun) work(t *ir.Task, data workflow.Value) (workflow.Value, error) {
	switch do := t.Do.(type) {
	case *ir.Run:
		if do.Step == nil {
			return r.runs(t, do.Agent.Agent)
		}
		label := do.Step.Label(r.agent.Name.Value)
		return r.answers(kindReply, label, r.candidates.values(t, do.Step.Output(), "An answer of "+label+"."), said)
	case *ir.UseFunc:
		if err := r.takes(do.Func, data); err != nil {
			return workflow.Value{}, err
		}
		return r.answers(kindResult, do.Func.Name.Value, r.candidates.results(t, do.Func), result)
	case *ir.UseBuiltin:
		return r.builtin(do, data)
	case *ir.Ask:
		return r.ask(t, do.Answer.Schema)
	case *ir.Import:
		return r.imports(t, do, data)
	case *ir.Branch:
		return r.conditional(t, do, data)
	case *ir.Loop:
		if do.Each() {
			return r.each(t, do)
		}
		return r.repeat(t, do, data)
	case *ir.Parallel:
		return r.fork(t, do, data)
	case *ir.Machine:
		return r.machine(t, do, data)
	case *ir.PassOn, *ir.Return:
	}

	return data, nil
}

// answers is one of some values, given in a turn, or a failure, for which a script has to answer.
func (r *workRun) answers(kind itemKind, name string, values []workflow.Value, turn func(workflow.Value) Turn) (workflow.Value, error) {
	i := r.choose(len(values) + 1)
	if i == len(values) {
		r.x.note(item{kind: kind, name: name, turn: Turn{Fails: true}})
		return workflow.Value{}, errFails
	}
	r.x.note(item{kind: kind, name: name, turn: turn(values[i])})

	return values[i], nil
}

// takes returns an error if a function cannot read its argument, so that it is not called. What is
// not known of the argument is taken to fit.
func (r *workRun) takes(f *ir.Func, argument workflow.Value) error {
	switch {
	case sample.Fits(f.Input, argument.JSON()):
		return nil
	case isUnknown(argument):
		r.x.depends()
		return nil
	}

	return errFails
}

// result is what a function returns.
func result(v workflow.Value) Turn { return Turn{Value: v.JSON()} }

// said is what says a value: the text itself, or JSON.
func said(v workflow.Value) Turn {
	if text, isText := v.AsText(); isText {
		return Turn{Say: text}
	}

	return Turn{Say: v.JSON()}
}

// ask asks a person.
func (r *workRun) ask(t *ir.Task, schema *ir.Schema) (workflow.Value, error) {
	replies := r.candidates.replies(t, schema)
	answer := replies[r.choose(len(replies))]
	r.take(r.x, t, answer.kind, answer.name)
	for _, text := range answer.said {
		r.x.note(item{kind: kindAnswer, name: t.Name.Value, turn: Turn{Say: text}})
	}
	r.said = said(answer.value).Say
	if schema == nil {
		return r.Ask(t.Name.Value, "", nil)
	}

	return r.Ask(t.Name.Value, "", &rt.OutputSpec{Check: func(said json.RawMessage) error {
		if !sample.Fits(schema, parsed(string(said)).JSON()) {
			return errFails
		}
		return nil
	}})
}

// verdict is what a function answers that decides something: one of the wanted values that fit its
// schema, or another that does.
func (r *workRun) verdict(f *ir.Func, argument workflow.Value, wanted ...workflow.Value) (workflow.Value, error) {
	if err := r.takes(f, argument); err != nil {
		return workflow.Value{}, err
	}
	values := slices.DeleteFunc(wanted, func(v workflow.Value) bool { return !sample.Fits(f.Output, v.JSON()) })
	if f.Output != nil {
		values = append(values, r.candidates.fitting(f.Output, "text", "")...)
	}

	return r.answers(kindResult, f.Name.Value, distinct(values), result)
}

// runs runs an agent of the project: a conversation answers like a model of the workflow, another
// one has one of its outcomes.
func (r *workRun) runs(t *ir.Task, a *ir.Agent) (workflow.Value, error) {
	free := ir.Place{Kind: ir.PlaceFree}
	if key, ok := onlyAnswers(a); ok {
		step := a.Conversations()[0]
		values := r.candidates.values(t, step.Output(), "An answer of "+a.Name.Value+".")
		return r.answers(kindReply, a.Name.Value, values, func(v workflow.Value) Turn { return replies(step, free, key, v) })
	}
	n := r.builder.agent(a, free)
	i := r.choose(len(n.outcomes))
	r.x.note(item{kind: kindRun, runs: n, outcomes: []int{i}})

	return n.outcomes[i].value, nil
}

// onlyAnswers reports whether an agent does no more than answer, with a key that it may finish
// with.
func onlyAnswers(a *ir.Agent) (key string, ok bool) {
	switch body := a.Node.(type) {
	case *ir.Oneshot:
		return "", true
	case *ir.React:
		return append(ir.Values(body.Keys), ir.DoneKey)[0], body.Gate == nil
	}

	return "", false
}

// conditional runs one of the branches.
func (r *workRun) conditional(t *ir.Task, do *ir.Branch, data workflow.Value) (workflow.Value, error) {
	key := data
	var err error
	switch {
	case do.Func != nil:
		wanted := ir.Map(do.Branches, func(arm *ir.Arm) workflow.Value { return workflow.Text(arm.Name.Value) })
		if key, err = r.verdict(do.Func, data, append(wanted, somethingElse, workflow.Of(true), workflow.Of(false))...); err != nil {
			return workflow.Value{}, err
		}
	case do.Key != nil:
		key = r.value(do.Key.Root)
	}
	if key.IsNone() {
		return workflow.Value{}, errMissing
	}
	chosen := slices.IndexFunc(do.Branches, func(arm *ir.Arm) bool { return arm.Name.Value == key.BranchKey() })
	if isUnknown(key) {
		chosen = r.choose(len(do.Branches)+1) - 1
		r.x.depends()
	}
	switch {
	case chosen >= 0:
		r.take(r.x, t, CaseBranch, do.Branches[chosen].Name.Value)
		return r.pipeline(do.Branches[chosen].Body, data)
	case do.Default != nil:
		r.take(r.x, t, CaseDefault, "")
		return r.pipeline(do.Default, data)
	}

	return workflow.Value{}, r.NoBranch(key.BranchKey())
}

// repeat runs the body of a loop until it is over.
func (r *workRun) repeat(t *ir.Task, do *ir.Loop, value workflow.Value) (workflow.Value, error) {
	for turn := range do.Max {
		end := r.x.inside(do, strconv.Itoa(turn))
		var err error
		if value, err = r.pipeline(do.Body, value); err != nil {
			return workflow.Value{}, err
		}
		over := false
		switch {
		case do.Func != nil:
			verdict, err := r.verdict(do.Func, value, workflow.Of(true), workflow.Of(false))
			if err != nil {
				return workflow.Value{}, err
			}
			over = verdict.True()
		case do.Exit != nil:
			over = r.judge(do.Exit, value).Holds()
		}
		if end(); over {
			r.take(r.x, t, endOfTurn(turn+1), "")
			return value, nil
		}
	}

	r.take(r.x, t, CaseBound, "")
	if do.OnBound == ir.BoundDone {
		return value, nil
	}

	return workflow.Value{}, r.LoopLimit(do.Max)
}

// each runs the body of a map for each item.
func (r *workRun) each(t *ir.Task, do *ir.Loop) (workflow.Value, error) {
	items, outer := r.Context(names(do.Items())...), r.this
	defer func() { r.this = outer }()
	var outputs []workflow.Value
	run := func(item workflow.Value) (workflow.Value, error) {
		end := r.x.inside(do, workflow.List(outputs...).JSON(), outer.JSON(), items.JSON())
		r.this = item
		output, err := r.pipeline(do.Body, item)
		if err != nil {
			r.takeFailure(t, CaseFailedItem, "", err)
			return workflow.Value{}, err
		}
		end()
		outputs = append(outputs, output)

		return output, nil
	}
	var err error
	if isUnknown(items) {
		r.x.depends()
		_, err = run(unknown)
	} else {
		if items.IsList() {
			r.take(r.x, t, caseOfItems(items.Len()), "")
		}
		_, err = r.Each(run, names(do.Items())...)
	}
	if err != nil {
		return workflow.Value{}, err
	}
	list := workflow.List(outputs...)
	if do.Result == nil {
		return list, nil
	}
	r.this, r.result = outer, list

	return r.datum(do.Result), nil
}

// takeFailure notes the case that something in a step fails. That a person's answer leaves the
// state is no failure.
func (r *workRun) takeFailure(t *ir.Task, kind CaseKind, name string, err error) {
	if r.left == nil || !errors.Is(err, r.left) {
		r.take(r.x, t, kind, name)
	}
}

// imports runs another workflow.
func (r *workRun) imports(t *ir.Task, do *ir.Import, data workflow.Value) (workflow.Value, error) {
	defer r.x.inside(do, r.key())()
	child := r.newRun(do.Agent.Agent)
	how := workflow.Import{
		Inherit: do.Inherit, All: do.All && t.UpdatesContext, Next: do.Next,
		Skip: do.OnFailure == ir.FailureSkip, Default: do.OnFailure == ir.FailureDefault,
	}
	if do.InputTo != ir.InputToPrompt {
		how.Key = do.Key
	}
	if t.UpdatesContext {
		how.Back = ir.Map(do.Outputs, func(o ir.ImportOutput) [2][]string { return [2][]string{names(o.Child), names(o.Parent)} })
	}
	run := func(input workflow.Value) (workflow.Value, error) { return child.pipeline(child.flow.Body, input) }

	return r.Import(&child.Run, how, run, data)
}
