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
	"github.com/agentc-dev/agentc/runtime/signals"
)

// workSearch is the domain of runs of a workflow: each state is a set of paths that have reached one
// point of the program.
type workSearch struct {
	*builder
	n          *node
	interp     *interp.Interp[paths]
	candidates *candidates
	// states are those of all machines: a stateID is a number in it, from 1.
	states []*ir.State
	ids    map[*ir.State]stateID
	// mains are the tasks of fallbacks, and loops the tasks of loops.
	mains map[*ir.Task]*ir.Task
	loops map[*ir.Loop]*ir.Task
	// points are those where paths have chosen, and numbers are of what they choose or are inside of.
	points  map[pointKey]int
	numbers map[any]int
	// most bounds the ways in which paths go on where they choose, and ways counts them.
	most, ways int
	// said is what the next person says, and picked the state that a name means which is not known; nil
	// for those that are.
	said   string
	picked *ir.State
}

// mostPoints bounds the ways in which the runs of a workflow go on where something is chosen, as far as
// all of them are looked at.
const mostPoints = 4000

// mostOverrun is how many times as many ways as the bound there are where some whole runs are still
// looked for.
const mostOverrun = 4

// workRun is a run of a workflow: what generated code embeds and drives, driven here by the steps
// of the representation.
type workRun struct {
	workflow.Run
	search *workSearch
	agent  *ir.Agent
	flow   *ir.Flow
	// outputs are those of the steps that have run. The map is never changed: what follows has a
	// copy.
	outputs map[*ir.Output]workflow.Value
	// input is that of the innermost pipeline, this the item of the innermost map, result what a
	// guard or an exit judges.
	input, this, result workflow.Value
	// next is the next_state of the newest output that has one, event how the state came out.
	next  workflow.Value
	event string
}

func (b *builder) newSearch(n *node, a *ir.Agent) *workSearch {
	s := &workSearch{
		builder: b, n: n, candidates: candidatesOf(a), ids: map[*ir.State]stateID{},
		mains: map[*ir.Task]*ir.Task{}, loops: map[*ir.Loop]*ir.Task{}, points: map[pointKey]int{}, numbers: map[any]int{},
	}
	s.interp = interp.New(s, interp.Config{MostSteps: func(m *ir.Machine) int { return limit(m, b.maxSteps) }})
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
		if t.Fallback != nil {
			s.mains[t.Fallback] = t
		}
		if loop, isLoop := t.Do.(*ir.Loop); isLoop {
			s.loops[loop] = t
		}
	})
}

// explore finds the runs of a workflow.
func (s *workSearch) explore(a *ir.Agent, most int) {
	contexts := s.contexts(a, s.alone[a])
	if len(contexts) == 0 {
		s.n.problem = "no initial context that was tried fits its schema"
		return
	}
	s.most = 2 * most // half of what is left is kept for what follows
	run := s.newRun(a)
	run.input = unknown
	begin := paths{{n: s.n, run: run, value: unknown}}
	if len(contexts) > 1 {
		begin = s.merge(a, len(contexts), begin)[0].split(len(contexts))
	}
	var begun paths
	for i, context := range contexts {
		p := begin[i].copied()
		if context.Len() > 0 {
			p = p.with(item{kind: kindGiven, turn: Turn{Value: context.JSON()}})
		}
		if p.run.Inherit(context) == nil {
			begun = append(begun, p)
		}
	}
	ends := s.interp.Pipeline(run.flow.Body, begun)
	for _, p := range append(ends.Done, ends.Failed...) {
		key, err := p.run.finish(p.value, p.err)
		if err != nil {
			p.fail(s.n)
			continue
		}
		s.n.finishes(&edge{from: p.from, items: p.items, open: p.open}, outcome{key: key, value: unknown})
	}
}

// finish returns the key with which the workflow finishes.
func (r *workRun) finish(value workflow.Value, err error) (key string, _ error) {
	finish := r.Finish
	if tasks := len(r.flow.Body.Tasks); tasks > 0 {
		if _, isMachine := r.flow.Body.Tasks[tasks-1].Do.(*ir.Machine); isMachine {
			finish = r.FinishMachine
		}
	}
	fin, err := finish(value, err)

	return r.search.named(workflow.Text(fin.Key)).String(), err
}

// newRun begins a run with an empty context, which need not fit.
func (s *workSearch) newRun(a *ir.Agent) *workRun {
	r := &workRun{search: s, agent: a, flow: a.Node.(*ir.Flow), Run: workflow.Start(&effects{search: s}, a.Name.Value)}
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

// onGiven is what runs depend on that do what is not known.
const onGiven = "what the run is given"

// keep puts the output of a step where the step says. isOpen says that what it does depends on what is
// only known in a run.
func (r *workRun) keep(t *ir.Task, value workflow.Value) (isOpen bool, err error) {
	if text, _ := value.AsText(); text == mark && (t.MergesOutput() || t.SinkTo != nil) {
		isOpen = true
	} else if t.MergesOutput() {
		if err = r.MergeContext(value); err != nil {
			return isOpen, err
		}
	}
	if t.SinkTo != nil {
		if err = r.SetContext(value, names(t.SinkTo)...); err != nil {
			return isOpen, err
		}
	}
	r.output(t.Output, value)
	r.RecordOutput(t.Name.Value, value)
	if next := value.Get(ir.NextState); value.IsObject() && next.IsText() {
		r.next = next
	}

	return isOpen, nil
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

// errMissing is that a condition, or the key of branches, is unknown because something is missing.
var errMissing = errors.New("a value is missing")

// errFails is what fails where a script says so.
var errFails = errors.New("it fails")

// result is what a function returns.
func result(v workflow.Value) Turn { return Turn{Value: v.JSON()} }

// said is what says a value: the text itself, or JSON.
func said(v workflow.Value) Turn {
	if text, isText := v.AsText(); isText {
		return Turn{Say: text}
	}

	return Turn{Say: v.JSON()}
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

// effects are those of the runs of a workflow, which nothing observes.
type effects struct {
	runtime.Effects
	search *workSearch
}

func (*effects) Watched() bool { return false }

func (*effects) Limit(string, string, *runtime.Budget) (end func()) { return func() {} }

func (*effects) Listen(string, string, []signals.Rule) (end func()) { return func() {} }

func (*effects) Note(event.Event) {}

func (*effects) Sleep(time.Duration) error { return nil }

func (e *effects) Ask(runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: e.search.said}, nil
}

// Parallel does what is known of each branch.
func (e *effects) Parallel(n, _ int, branch func(i int, fx runtime.Effects) error) error {
	errs := make([]error, n)
	for i := range n {
		errs[i] = branch(i, e)
	}

	return errors.Join(errs...)
}
