package simulate

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// ends are how paths end.
type ends = interp.Ends[paths]

// None is no path.
func (*workSearch) None() paths { return nil }

// IsNone reports whether there is no path.
func (*workSearch) IsNone(s paths) bool { return len(s) == 0 }

// Join returns the paths of both.
func (*workSearch) Join(a, b paths) paths { return slices.Concat(a, b) }

// Fresh returns the paths that have not been seen.
func (*workSearch) Fresh(seen, s paths) (fresh, all paths) {
	isSeen := map[*workPath]bool{}
	for _, p := range seen {
		isSeen[p] = true
	}
	for _, p := range s {
		if !isSeen[p] {
			isSeen[p] = true
			fresh = append(fresh, p)
		}
	}

	return fresh, slices.Concat(seen, fresh)
}

// Give computes what a task is given.
func (s *workSearch) Give(t *ir.Task, in paths) paths {
	return ir.Map(in, func(p *workPath) *workPath { return s.given(t, p, 1) })
}

// given returns a path inside of a try of a task.
func (s *workSearch) given(t *ir.Task, p *workPath, try int) *workPath {
	key := []string{p.value.JSON(), strconv.Itoa(try)}
	if s.isUndone(t) {
		key = append(key, p.run.key())
	}
	next := p.inside(frame{of: t, try: try}, key...)
	if data := s.written(t); data != nil {
		next.value = p.run.datum(data)
	}

	return next
}

// written is what the source says that a task is given; nil for what the step before it gave. A
// fallback is given what its task is, unless it says something else.
func (s *workSearch) written(t *ir.Task) *ir.Datum {
	data := t.Input
	for main := s.mains[t]; data == nil && main != nil; main = s.mains[main] {
		data = main.Input
	}
	if do, isFunc := t.Do.(*ir.UseFunc); isFunc {
		return do.Argument(data)
	}

	return data
}

// isUndone reports whether what a failed try of a task wrote is undone: that of one with steps
// inside which is tried or limited, or which runs in the place of one.
func (s *workSearch) isUndone(t *ir.Task) bool {
	isTried := t.Fallback != nil || t.Retries > 0
	isLimited := t.Timeout > 0 || t.Tokens > 0 || t.USD > 0

	return s.undoes(s.mains[t]) || s.undoes(t) && (isTried || isLimited)
}

// undoes reports whether a task has steps inside; a nil one has none.
func (*workSearch) undoes(t *ir.Task) bool { return t != nil && len(t.Pipelines()) > 0 }

// Retry returns the paths on which a task is tried again, or its fallback is. Behind the last try they
// are as they failed.
func (s *workSearch) Retry(t *ir.Task, _, failed paths) paths {
	return ir.Map(failed, func(p *workPath) *workPath {
		f := p.frameOf(t)
		isLast := f.try > t.Retries
		if isLast && p.settled != t {
			return p
		}
		next := p.behind(t)
		if s.isUndone(t) {
			next.run = f.run
		}
		next.value, next.err = f.value, nil
		if !isLast {
			return s.given(t, next, f.try+1)
		}

		return next.inside(frame{of: t, try: f.try + 1}, f.value.JSON(), strconv.Itoa(f.try+1)).taking(t, CaseFallback, "")
	})
}

// Settle names the tasks that failed.
func (s *workSearch) Settle(t *ir.Task, _ paths, e ends) ends {
	e.Failed = ir.Map(e.Failed, func(p *workPath) *workPath {
		next := *p
		next.settled = t
		if s.isUndone(t) {
			next.run = p.frameOf(t).run
		}
		next.err = s.stepError(t, next.run, p.err)

		return &next
	})

	return e
}

// stepError names the task that failed, and each whose fallback it is.
func (s *workSearch) stepError(t *ir.Task, r *workRun, err error) error {
	err = r.WrapError(t.Name.Value, err)
	if main := s.mains[t]; main != nil {
		return s.stepError(main, r, err)
	}

	return err
}

// Keep puts the output of a task where the task says. A person's answer may leave the state then.
func (s *workSearch) Keep(t *ir.Task, in paths) (kept ends) {
	for _, p := range in {
		next := p.behind(t)
		isOpen, err := next.run.keep(t, next.value)
		if err == nil {
			kept.Done = append(kept.Done, next.dependingIf(isOpen))
			continue
		}
		next.err = s.stepError(t, next.run, err)
		if s.undoes(s.mains[t]) {
			next.run = p.frameOf(t).run
		}
		kept.Failed = append(kept.Failed, next)
	}
	if _, asks := t.Do.(*ir.Ask); asks {
		kept.Done, kept.Paused = s.leaving(kept.Done)
	}

	return kept
}

// Do does what a task does that has no steps inside, with one of the answers that may make a
// difference.
func (s *workSearch) Do(t *ir.Task, in paths) ends {
	switch do := t.Do.(type) {
	case *ir.Run:
		if do.Step == nil {
			return s.runs(t, do.Agent.Agent, in)
		}
		label := do.Step.Label(in[0].run.agent.Name.Value)
		return s.answers(t, in, answers{
			kind: kindReply, name: label, values: s.candidates.values(t, do.Step.Output(), "An answer of "+label+"."), turn: said,
		})
	case *ir.UseFunc:
		takes, failed := s.takes(do.Func, in)
		e := s.answers(t, takes, answers{kind: kindResult, name: do.Func.Name.Value, values: s.candidates.results(t, do.Func), turn: result})
		e.Failed = slices.Concat(failed, e.Failed)
		return e
	case *ir.UseBuiltin:
		return s.builtin(t, do, in)
	case *ir.Ask:
		return s.ask(t, do.Answer.Schema, in)
	case *ir.Import:
		return s.imports(t, do, in)
	case *ir.Branch, *ir.Loop, *ir.Parallel, *ir.Machine: // they have steps inside
	case *ir.PassOn, *ir.Return:
	}

	return ends{Done: in}
}

// answers are some values, each given in a turn.
type answers struct {
	kind   itemKind
	name   string
	values []workflow.Value
	turn   func(workflow.Value) Turn
	// decides says that a value decides how the path goes on, and is not what the step gave.
	decides bool
}

// answers gives one of some values, or fails. A script has to answer for either.
func (s *workSearch) answers(where any, in paths, a answers) (e ends) {
	for _, p := range s.merge(where, len(a.values)+1, in) {
		for i, way := range p.split(len(a.values) + 1) {
			if i == len(a.values) {
				fails := item{kind: a.kind, name: a.name, turn: Turn{Fails: true}}
				e.Failed = append(e.Failed, way.with(fails).failing(errFails))
				continue
			}
			v := a.values[i]
			way = way.with(item{kind: a.kind, name: a.name, turn: a.turn(v)})
			if a.decides {
				way.verdict = v
			} else {
				way.value = v
			}
			e.Done = append(e.Done, way)
		}
	}

	return e
}

// takes returns the paths on which a function can read its argument, so that it is called. What is
// not known of the argument is taken to fit.
func (s *workSearch) takes(f *ir.Func, in paths) (takes, failed paths) {
	for _, p := range in {
		switch {
		case sample.Fits(f.Input, p.value.JSON()):
			takes = append(takes, p)
		case isUnknown(p.value):
			takes = append(takes, p.depending())
		default:
			failed = append(failed, p.failing(errFails))
		}
	}

	return takes, failed
}

// runs runs an agent of the project: a conversation answers like a model of the workflow, another
// one has one of its outcomes.
func (s *workSearch) runs(t *ir.Task, a *ir.Agent, in paths) (e ends) {
	free := ir.Place{Kind: ir.PlaceFree}
	if key, ok := onlyAnswers(a); ok {
		step := a.Conversations()[0]
		values := s.candidates.values(t, step.Output(), "An answer of "+a.Name.Value+".")
		replies := func(v workflow.Value) Turn { return replies(step, free, key, v) }
		return s.answers(t, in, answers{kind: kindReply, name: a.Name.Value, values: values, turn: replies})
	}
	n := s.builder.agent(a, free)
	for _, p := range s.merge(t, len(n.outcomes), in) {
		for i, way := range p.split(len(n.outcomes)) {
			ran := item{kind: kindRun, runs: n, outcomes: []int{i}}
			next := way.with(ran)
			next.value = n.outcomes[i].value
			e.Done = append(e.Done, next)
		}
	}

	return e
}

// ask asks a person.
func (s *workSearch) ask(t *ir.Task, schema *ir.Schema, in paths) (e ends) {
	var spec *rt.OutputSpec
	if schema != nil {
		spec = &rt.OutputSpec{Check: func(said json.RawMessage) error {
			if !sample.Fits(schema, parsed(string(said)).JSON()) {
				return errFails
			}
			return nil
		}}
	}
	replies := s.candidates.replies(t, schema)
	for _, p := range s.merge(t, len(replies), in) {
		for i, way := range p.split(len(replies)) {
			answer := replies[i]
			next := way.copied().taking(t, answer.kind, answer.name)
			for _, text := range answer.said {
				next = next.with(item{kind: kindAnswer, name: t.Name.Value, turn: Turn{Say: text}})
			}
			s.said = said(answer.value).Say
			next.value, next.err = next.run.Ask(t.Name.Value, "", spec)
			if next.err != nil {
				e.Failed = append(e.Failed, next)
			} else {
				e.Done = append(e.Done, next)
			}
		}
	}

	return e
}

// imports runs another workflow.
func (s *workSearch) imports(t *ir.Task, do *ir.Import, in paths) (e ends) {
	how := howImported(t, do)
	var begun paths
	for _, p := range in {
		child := s.newRun(do.Agent.Agent)
		inside := p.inside(frame{of: do}, p.run.key())
		parent := *p.run
		isBegun := false
		_, err := parent.Import(&child.Run, how, func(input workflow.Value) (workflow.Value, error) {
			copied := *child
			copied.input = input
			inside.run, isBegun = &copied, true
			return input, nil
		}, p.value)
		if isBegun {
			begun = append(begun, inside)
		} else {
			e.Failed = append(e.Failed, p.failing(err))
		}
	}
	inner := s.interp.Pipeline(do.Agent.Agent.Node.(*ir.Flow).Body, begun)
	for _, p := range slices.Concat(inner.Done, inner.Failed) {
		f := p.frameOf(do)
		parent, child, next := *f.run, s.newRun(do.Agent.Agent), *p
		next.around, next.run = f.outer, &parent
		next.value, next.err = parent.Import(&child.Run, how, func(workflow.Value) (workflow.Value, error) {
			child.Run = p.run.Run
			return p.value, p.err
		}, f.value)
		if next.err != nil {
			e.Failed = append(e.Failed, &next)
		} else {
			e.Done = append(e.Done, &next)
		}
	}

	return e
}

// howImported returns how a step runs another workflow.
func howImported(t *ir.Task, do *ir.Import) workflow.Import {
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

	return how
}

// Enter begins a body with its input.
func (s *workSearch) Enter(b interp.Block, in paths) []interp.Entry[paths] {
	start := ir.Map(in, func(p *workPath) *workPath {
		before := p
		switch b.Kind {
		case interp.Branch:
			p = s.enterBranch(p, b)
		case interp.State:
			p = s.enterState(p, b)
		case interp.Item:
			p = p.copied()
			p.value = p.frameOf(b.Task.Do).items[b.Turn-1]
			p.run.this = p.value
		case interp.Arm, interp.Turn, interp.Import:
		}
		next := p.inside(frame{of: b.Body}, s.turnOf(b), before.run.input.JSON(), before.run.this.JSON()).copied()
		next.around.run = before.run
		next.run.input = next.value

		return next
	})

	return []interp.Entry[paths]{{Start: start}}
}

// turnOf distinguishes the turns of a body. Those of the states of a machine with many steps are not
// distinguished.
func (s *workSearch) turnOf(b interp.Block) string {
	if b.Kind == interp.State && limit(b.Machine, s.maxSteps) > manySteps {
		return ""
	}

	return strconv.Itoa(b.Turn)
}

// Leave ends a body.
func (s *workSearch) Leave(b interp.Block, _ paths, _ interp.Entry[paths], inner ends) ends {
	behind := func(p *workPath) *workPath {
		next := p.behind(b.Body)
		next.turn = 0
		if b.Kind == interp.Turn {
			next.turn = b.Turn
		}

		return next
	}
	inner = ends{Done: ir.Map(inner.Done, behind), Failed: ir.Map(inner.Failed, behind), Paused: ir.Map(inner.Paused, behind)}
	switch b.Kind {
	case interp.Item:
		inner.Done = ir.Map(inner.Done, func(p *workPath) *workPath { return p.gathering(b.Task.Do) })
		inner.Failed = ir.Map(inner.Failed, func(p *workPath) *workPath { return p.taking(b.Task, CaseFailedItem, "") })
	case interp.Branch:
		inner.Failed = ir.Map(inner.Failed, func(p *workPath) *workPath { return p.taking(b.Task, CaseFailedBranch, b.Arm.Name.Value) })
		inner.Failed, inner.Paused = slices.Concat(inner.Failed, inner.Paused), nil
	case interp.Arm, interp.Turn, interp.State, interp.Import:
	}

	return inner
}

// Decide calls the function by which a conditional or a loop decides: it answers one of the wanted
// values that fit its schema, or another that does.
func (s *workSearch) Decide(t *ir.Task, in paths) ends {
	var by *ir.Func
	wanted := []workflow.Value{workflow.Of(true), workflow.Of(false)}
	switch do := t.Do.(type) {
	case *ir.Branch:
		names := ir.Map(do.Branches, func(arm *ir.Arm) workflow.Value { return workflow.Text(arm.Name.Value) })
		by, wanted = do.Func, slices.Concat(names, []workflow.Value{somethingElse}, wanted)
	case *ir.Loop:
		by = do.Func
	}
	takes, failed := s.takes(by, in)
	values := slices.DeleteFunc(wanted, func(v workflow.Value) bool { return !sample.Fits(by.Output, v.JSON()) })
	if by.Output != nil {
		values = append(values, s.candidates.fitting(by.Output, "text", "")...)
	}
	e := s.answers(by, takes, answers{kind: kindResult, name: by.Name.Value, values: distinct(values), turn: result, decides: true})
	e.Failed = slices.Concat(failed, e.Failed)

	return e
}

// Choose returns which paths take which case.
func (s *workSearch) Choose(c interp.Choice, in paths) interp.Chosen[paths] {
	switch {
	case c.Branch != nil:
		return s.chooseBranch(c.Task, c.Branch, in)
	case c.Loop != nil:
		return s.chooseEnd(c.Task, c.Loop, in)
	}

	return s.chooseRow(c, in)
}

// chooseBranch returns which paths take which branch of a conditional.
func (s *workSearch) chooseBranch(t *ir.Task, do *ir.Branch, in paths) interp.Chosen[paths] {
	chosen := interp.Chosen[paths]{Cases: make([]paths, len(do.Branches))}
	take := func(p *workPath, key workflow.Value, i int) {
		next := *p
		p, next.verdict = &next, workflow.Value{}
		switch {
		case i >= 0:
			chosen.Cases[i] = append(chosen.Cases[i], p.taking(t, CaseBranch, do.Branches[i].Name.Value))
		case do.Default != nil:
			chosen.Other = append(chosen.Other, p.taking(t, CaseDefault, ""))
		default:
			chosen.Other = append(chosen.Other, p.failing(p.run.NoBranch(key.BranchKey())))
		}
	}
	var open paths
	for _, p := range in {
		key := p.value
		switch {
		case do.Func != nil:
			key = p.verdict
		case do.Key != nil:
			key = p.run.value(do.Key.Root)
		}
		switch {
		case key.IsNone():
			chosen.Blocked = append(chosen.Blocked, p.failing(errMissing))
		case isUnknown(key):
			open = append(open, p)
		default:
			take(p, key, slices.IndexFunc(do.Branches, func(arm *ir.Arm) bool { return arm.Name.Value == key.BranchKey() }))
		}
	}
	for _, p := range s.merge(do, len(do.Branches)+1, open) {
		for i, way := range p.split(len(do.Branches) + 1) {
			take(way.depending(), unknown, i-1)
		}
	}

	return chosen
}

// chooseEnd returns on which paths a loop is over behind a turn. On the others it goes on, or is at
// its bound.
func (s *workSearch) chooseEnd(t *ir.Task, do *ir.Loop, in paths) interp.Chosen[paths] {
	chosen := interp.Chosen[paths]{Cases: make([]paths, 1)}
	var all []judged
	switch {
	case do.Func != nil:
		all = ir.Map(in, func(p *workPath) judged { return judged{p, workflow.Known(p.verdict.True())} })
	case do.Exit != nil:
		all = s.decide(do, in, do.Exit, func(p *workPath) workflow.Value { return p.value })
	default:
		all = judgedAs(workflow.Known(false), in)
	}
	for _, j := range all {
		turn, p := j.turn, *j.workPath
		p.turn, p.verdict = 0, workflow.Value{}
		switch {
		case j.truth.Holds():
			chosen.Cases[0] = append(chosen.Cases[0], p.taking(t, endOfTurn(turn), ""))
		case turn < do.Max:
			chosen.Other = append(chosen.Other, &p)
		case do.OnBound == ir.BoundDone:
			chosen.Other = append(chosen.Other, p.taking(t, CaseBound, ""))
		default:
			chosen.Other = append(chosen.Other, p.taking(t, CaseBound, "").failing(p.run.LoopLimit(do.Max)))
		}
	}

	return chosen
}

// Item returns the paths on which a list has an item for a turn. Of one that is not known it has one.
func (s *workSearch) Item(loop *ir.Loop, turn int, in paths) (next, skipped paths) {
	for _, p := range in {
		if turn == 1 {
			p = s.beginItems(loop, p)
		}
		if turn <= len(p.frameOf(loop).items) {
			next = append(next, p)
		} else {
			skipped = append(skipped, p)
		}
	}

	return next, skipped
}

// beginItems returns a path inside of a loop over a list.
func (s *workSearch) beginItems(loop *ir.Loop, p *workPath) *workPath {
	list := p.run.Context(names(loop.ItemsPath())...)
	var items []workflow.Value
	for _, item := range list.Items() {
		items = append(items, item)
	}
	switch {
	case isUnknown(list):
		items = []workflow.Value{unknown}
		p = p.depending()
	case list.IsList():
		p = p.taking(s.loops[loop], caseOfItems(list.Len()), "")
	}

	return p.inside(frame{of: loop, items: items}, p.run.this.JSON(), list.JSON())
}

// gathering returns a path on which a loop over a list has one more output.
func (p *workPath) gathering(loop any) *workPath {
	f := *p.frameOf(loop)
	f.outputs = append(slices.Clip(f.outputs), p.value)
	f.key += "\x02" + p.value.JSON()
	next := *p
	next.around = &f

	return &next
}

// Tolerate returns the paths that failed: a workflow fails with its turns.
func (*workSearch) Tolerate(_ *ir.Loop, failed paths) paths { return failed }

// Collect returns the paths behind a loop over a list. What is no list fails.
func (s *workSearch) Collect(loop *ir.Loop, in paths) (e ends) {
	for _, p := range in {
		f := p.frameOf(loop)
		next := p.behind(loop)
		none := func(workflow.Value) (workflow.Value, error) { return workflow.Value{}, nil }
		place := names(loop.ItemsPath())
		if list := f.run.Context(place...); !list.IsList() && !isUnknown(list) {
			_, next.err = next.run.Each(none, place...)
			e.Failed = append(e.Failed, next)
			continue
		}
		next.value = workflow.List(f.outputs...)
		if loop.Result != nil {
			about := *next.run
			about.result = next.value
			next.value = about.datum(loop.Result)
		}
		e.Done = append(e.Done, next)
	}

	return e
}

// Advance goes on with all paths.
func (*workSearch) Advance(p interp.Progress[paths]) interp.Step[paths] {
	return interp.Step[paths]{Next: p.After, GoesOn: true}
}
