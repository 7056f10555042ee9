package simulate

import (
	"errors"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// workSearch is the domain of runs of a workflow. Each state is a set of paths that have reached
// one point of the program.
type workSearch struct {
	*builder
	n          *node
	interp     *interp.Interp[paths]
	candidates *candidates
	// states are the states of all machines. A stateID is an index in it, from 1.
	states []*ir.State
	ids    map[*ir.State]stateID
	// fallbackOwners are the tasks of fallbacks, and loopTasks the tasks of loops.
	fallbackOwners map[*ir.Task]*ir.Task
	loopTasks      map[*ir.Loop]*ir.Task
	// points are where paths chose, and numbers identify choices and frames.
	points  map[pointKey]int
	numbers map[any]int
	// maxWays bounds the continuations of paths at choices, and ways counts them. choices counts the
	// choices.
	maxWays, ways, choices int
	// share bounds the continuations at each choice; 0 permits half of those that are left.
	share int
	// nextAnswer is the next answer of a person. pickedState is the state that an unknown name
	// means; nil for known names.
	nextAnswer  string
	pickedState *ir.State
}

// The interpreter finds optional methods by a type assertion. The compiler checks them here.
var (
	_ interp.Settler[paths] = (*workSearch)(nil)
	_ interp.Starter[paths] = (*workSearch)(nil)
)

// maxPoints bounds the continuations at choices of a workflow, if all of them are to be searched.
const maxPoints = 4000

// maxOverrun is the factor above the bound up to which some complete runs are still searched.
const maxOverrun = 4

// workRun is a run of a workflow. Generated code embeds the same type and drives it, but here the
// steps of the representation do.
type workRun struct {
	workflow.Run
	search *workSearch
	agent  *ir.Agent
	flow   *ir.Flow
	// outputs are the outputs of the steps that have run. The map does not change after it was
	// copied.
	outputs map[*ir.Output]workflow.Value
	// input is the input of the innermost pipeline, this the item of the innermost map, and result
	// the value that a guard or an exit tests.
	input, this, result workflow.Value
	// turn is the turn of the innermost loop or map.
	turn turn
	// item is the number of the item of the innermost {{#each}}, and last that of its last item.
	item struct{ index, last int }
	// failed is set to true if a text or data cannot be computed; nil without a caller that asks.
	failed *bool
	// outputNext is the next_state of the newest output that has one, and event the result of the
	// state.
	outputNext workflow.Value
	event      string
}

// turn is a turn of a loop, or an item of a map, from 0. count is how many there can be; 0 if that
// is not known.
type turn struct{ index, count int }

func (b *builder) newWorkSearch(n *node, a *ir.Agent) *workSearch {
	s := &workSearch{
		builder: b, n: n, candidates: findCandidates(a), ids: map[*ir.State]stateID{},
		fallbackOwners: map[*ir.Task]*ir.Task{}, loopTasks: map[*ir.Loop]*ir.Task{}, points: map[pointKey]int{}, numbers: map[any]int{},
	}
	s.interp = interp.New(s, interp.Config{MaxSteps: func(m *ir.Machine) int { return stepLimit(m, b.maxSteps) }})
	for _, inner := range ir.ReachableFrom(a) {
		if w, isWorkflow := ir.WorkflowOf(inner.Node); isWorkflow {
			s.findTasks(w.Body)
		}
	}

	return s
}

// findTasks finds the tasks of fallbacks and loops.
func (s *workSearch) findTasks(body *ir.Pipeline) {
	ir.WalkTasks(body, func(t *ir.Task) {
		if fallback := t.FailureFallback(); fallback != nil && !t.ForTimeout {
			s.fallbackOwners[fallback] = t
		}
		if loop, isLoop := t.Do.(*ir.Loop); isLoop {
			s.loopTasks[loop] = t
		}
	})
}

// exploreWorkflow finds the runs of a workflow. If there are too many, the first choices have used
// up the bound: a second search adds runs to the same node. Each of its choices has an equal share,
// and it begins with the smallest context alone.
func (b *builder) exploreWorkflow(n *node, a *ir.Agent) {
	first := b.newWorkSearch(n, a)
	first.explore(a, maxPoints)
	if n.cut != tooMany {
		return
	}
	second := b.newWorkSearch(n, a)
	second.share = max(1, maxOverrun*first.maxWays/max(1, first.choices))
	second.explore(a, maxPoints)
}

// explore finds the runs of a workflow.
func (s *workSearch) explore(a *ir.Agent, most int) {
	contexts := s.initialContexts(a, s.takesContext[a])
	if len(contexts) == 0 {
		s.n.problem = "no initial context that was tried fits its schema"
		return
	}
	if s.share > 0 {
		contexts = contexts[:1]
	}
	s.maxWays = 2 * most // each choice may use half of the rest
	run := s.newRun(a)
	run.input = unknown
	begin := paths{{node: s.n, run: run, value: unknown}}
	if len(contexts) > 1 {
		begin = s.mergeAlike(a, len(contexts), begin)[0].split(len(contexts))
	}
	var begun paths
	for i, context := range contexts {
		p := begin[i].clone()
		if context.Len() > 0 {
			p = p.withItems(item{kind: kindGiven, turn: Turn{Value: context.JSON()}})
		}
		if p.run.Inherit(context) == nil {
			begun = append(begun, p)
		}
	}
	ends := s.interp.RunPipeline(run.flow.Body, begun)
	for _, p := range append(ends.Done, ends.Failed...) {
		key, err := p.run.finishKey(p.value, p.err)
		isFailingEnd := key != "" && s.takesContext[a] // nothing runs the workflow that would fail with it
		if err != nil && !isFailingEnd {
			p.endInFailure(s.n)
			continue
		}
		s.n.addFinish(&edge{from: p.from, items: p.items, open: p.open}, outcome{key: key, value: unknown})
	}
}

// finishKey returns the key with which the workflow finishes. A failure has one in an end state that
// is a failure.
func (r *workRun) finishKey(value workflow.Value, err error) (key string, _ error) {
	finish := r.Finish
	if last := r.flow.FinalSteps(); len(last) > 0 {
		if _, isMachine := last[0].Do.(*ir.Machine); isMachine {
			finish = r.FinishMachine
		}
	}
	fin, err := finish(value, err)

	return r.search.withStateName(workflow.Text(fin.Key)).String(), err
}

// newRun begins a run with an empty context, which may not fit the schema.
func (s *workSearch) newRun(a *ir.Agent) *workRun {
	r := &workRun{search: s, agent: a, flow: a.Node.(*ir.Flow), Run: workflow.Start(&effects{search: s}, a.Name.Value)}
	r.Bind()

	return r
}

// Bind gives a copy of the run its own context, which has to fit its schema.
func (r *workRun) Bind() {
	schema := r.flow.Context
	if schema == nil {
		return
	}
	workflow.Declare(&r.Run, new(workflow.Value), func(v *rt.JSON) workflow.Value {
		context := withDefaults(schema, parseValue(v.Literal()))
		if !canFit(schema, context) {
			v.Want(contextSchema)
		}
		return context
	}, ir.Map(schema.FieldRules(), newRule)...)
}

// contextSchema is what errors say a context has to be.
const contextSchema = "what the schema says"

// newRule returns a rule of a field of the context. A value that is not known makes the combined
// value unknown.
func newRule(rule ir.FieldRule) workflow.Rule {
	return workflow.Rule{Field: rule.Path, Merge: workflow.Merge(rule.Merge), Open: isUnknown}
}

// withDefaults returns an object with the defaults of its schema for missing properties.
func withDefaults(s *ir.Schema, v workflow.Value) workflow.Value {
	for _, p := range s.Properties {
		if p.Schema != nil && p.Schema.Default != "" && !v.Has(p.Name.Value) {
			v = v.Merge(workflow.Object(workflow.Member{Name: p.Name.Value, Value: parseValue(p.Schema.Default)}))
		}
	}

	return v
}

// stateKey is equal for runs with the same continuations.
func (r *workRun) stateKey() string {
	values := []workflow.Value{r.Context(), r.NextState(), r.CurrentState(), r.input, r.this, r.Answer(), r.outputNext, r.StepName(), r.caughtError(), r.BranchWrites()}
	values = append(values, ir.Map(r.flow.Outputs, func(o *ir.Output) workflow.Value { return r.outputs[o] })...)
	var b strings.Builder
	for _, v := range values {
		b.WriteString(v.JSON())
		b.WriteByte(0)
	}

	return b.String() + r.event
}

// onGiven describes the unknown inputs of a workflow.
const onGiven = "what the run is given"

// storeOutput writes the output of a step to where the step directs it. isOpen is true if the
// effect depends on values that are only known in a run.
func (r *workRun) storeOutput(t *ir.Task, value workflow.Value) (isOpen bool, err error) {
	if text, _ := value.AsText(); text == unknownMark && (t.MergesOutput() || t.SinkTo != nil) {
		isOpen = true
	} else if t.MergesOutput() {
		err = r.mergeOutput(t, value)
		if err != nil {
			return isOpen, err
		}
	}
	if t.SinkTo != nil {
		err = r.SetContext(value, pathNames(t.SinkTo)...)
		if err != nil {
			return isOpen, err
		}
	}
	r.setOutput(t.Output, value)
	switch {
	case t.Part == ir.PartState && !sample.Fits(t.Type.Schema, value.JSON()):
		if isUnknown(value) {
			return true, nil
		}
		return isOpen, errScripted
	case t.Part != 0: // no step has that output
		return isOpen, nil
	}
	r.RecordOutput(t.Name.Value, value)
	if next := value.Get(ir.NextState); value.IsObject() && next.IsText() {
		r.outputNext = next
	}

	return isOpen, nil
}

// mergeOutput merges the output of a step, or some of its fields, into the context.
func (r *workRun) mergeOutput(t *ir.Task, value workflow.Value) error {
	if t.MergedFields == nil {
		return r.MergeContext(value)
	}

	return r.MergeFields(value, ir.Values(t.MergedFields)...)
}

// setOutput sets the output of a step.
func (r *workRun) setOutput(o *ir.Output, v workflow.Value) {
	outputs := map[*ir.Output]workflow.Value{o: v}
	for known, value := range r.outputs {
		if known != o {
			outputs[known] = value
		}
	}
	r.outputs = outputs
}

func pathNames(p *ir.ContextPath) []string { return ir.Values(p.Path) }

// errMissing is the error of a condition, or the key of branches, that is unknown because a value
// is missing.
var errMissing = errors.New("a value is missing")

// errScripted is a failure from a script, or one whose error is not known.
var errScripted = errors.New("it fails")

// resultTurn returns the turn of a function's result.
func resultTurn(v workflow.Value) Turn { return Turn{Value: v.JSON()} }

// sayTurn returns the turn that says a value: the text itself, or JSON.
func sayTurn(v workflow.Value) Turn {
	if text, isText := v.AsText(); isText {
		return Turn{Say: text}
	}

	return Turn{Say: v.JSON()}
}

// singleReplyKey returns a key with which an agent of one reply may finish; ok is false for other
// agents.
func singleReplyKey(a *ir.Agent) (key string, ok bool) {
	switch body := a.Node.(type) {
	case *ir.Oneshot:
		return "", true
	case *ir.React:
		return append(ir.Values(body.Keys), ir.DoneKey)[0], body.Gate == nil
	}

	return "", false
}

// effects are the effects of runs of a workflow, which nothing observes.
type effects struct {
	runtime.Effects
	search *workSearch
}

func (*effects) Watched() bool { return false }

func (*effects) Limit(string, string, *runtime.Budget) (end func()) { return func() {} }

func (*effects) Listen(string, string, []signals.Rule) (end func()) { return func() {} }

func (*effects) Note(event.Event) {}

func (*effects) Sleep(time.Duration) error { return nil }

func (*effects) Backoff(string, int, error, model.Retry) error { return nil }

func (e *effects) Ask(runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: e.search.nextAnswer}, nil
}

// Parallel runs the branches one after another.
func (e *effects) Parallel(n, _ int, branch func(i int, fx runtime.Effects) error) error {
	errs := make([]error, n)
	for i := range n {
		errs[i] = branch(i, e)
	}

	return errors.Join(errs...)
}
