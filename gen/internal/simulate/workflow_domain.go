package simulate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// ends are how paths end.
type ends = interp.Ends[paths]

// None returns no paths.
func (*workSearch) None() paths { return nil }

// IsNone reports whether there is no path.
func (*workSearch) IsNone(s paths) bool { return len(s) == 0 }

// Union returns the paths of both.
func (*workSearch) Union(a, b paths) paths { return slices.Concat(a, b) }

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

// Give computes the input of a task.
func (s *workSearch) Give(t *ir.Task, in paths) paths {
	return ir.Map(in, func(p *workPath) *workPath { return s.enterAttempt(t, p.beforeBound(t), 1) })
}

// beforeBound returns the path before a task. A loop is not at its bound then, nor is it after a
// failure that is undone.
func (p *workPath) beforeBound(t *ir.Task) *workPath {
	loop, isLoop := t.Do.(*ir.Loop)
	if !isLoop || loop.AtBound == nil {
		return p
	}
	next := p.clone()
	next.run.setOutput(loop.AtBound, workflow.Of(false))

	return next
}

// enterAttempt returns a path inside of an attempt of a task.
func (s *workSearch) enterAttempt(t *ir.Task, p *workPath, try int) *workPath {
	next := p.enterTry(t, try)
	if data := s.taskInput(t); data != nil {
		next.value = p.run.datumValue(data)
	}

	return next
}

// enterTry returns a path inside of the frame of an attempt of a task, or of its fallback. The
// frame keeps the run if a failure restores it.
func (p *workPath) enterTry(t *ir.Task, try int) *workPath {
	key := []string{p.value.JSON(), strconv.Itoa(try)}
	if t.UndoesFailures() {
		key = append(key, p.run.stateKey())
	}
	if t.Within > 0 {
		key = append(key, p.timeKey())
	}

	return p.enterFrame(frame{subject: t, attempt: try, waited: p.waited}, key...)
}

// taskInput returns the input of a task in the source; nil for the output of the previous step.
// Without its own input, a fallback has the input of its task.
func (s *workSearch) taskInput(t *ir.Task) *ir.Datum {
	data := t.Input
	for main := s.fallbackOwners[t]; data == nil && main != nil; main = s.fallbackOwners[main] {
		data = main.Input
	}
	if do, isFunc := t.Do.(*ir.UseFunc); isFunc {
		return do.Argument(data)
	}

	return data
}

// Undo returns the failed paths with what the run had written before the attempt, or before the
// fallback.
func (s *workSearch) Undo(t *ir.Task, _, failed paths) paths {
	return ir.Map(failed, func(p *workPath) *workPath {
		next := *p
		next.run = p.frameOf(t).run

		return &next
	})
}

// Retry returns the paths on which a task is retried, or its fallback runs. After the last attempt
// they are as they failed.
func (s *workSearch) Retry(t *ir.Task, _, failed paths) paths {
	return ir.Map(failed, func(p *workPath) *workPath {
		f := p.frameOf(t)
		isLast := f.attempt > t.Retries
		if isLast && p.failedTask != t {
			return p
		}
		next := p.leaveFrame(t)
		failure := next.err
		next.value, next.err = f.value, nil
		if !isLast {
			next.waited = p.waited // the time of the task goes on
			next = s.enterAttempt(t, next, f.attempt+1)
			next.frame.waited = f.waited
			return next
		}
		next = next.enterTry(t, f.attempt+1).clone()
		next.run.SetCaughtError(workflow.DescribeError(failure))

		return next.withCase(t, CaseFallback, "")
	})
}

// Settle records the failed tasks.
func (s *workSearch) Settle(t *ir.Task, _ paths, e ends) ends {
	e.Failed = ir.Map(e.Failed, func(p *workPath) *workPath {
		next := *p
		next.failedTask = t
		next.err = s.stepError(t, next.run, p.err)

		return &next
	})

	return e
}

// stepError adds the names of the failed task and of the tasks whose fallback it is.
func (s *workSearch) stepError(t *ir.Task, r *workRun, err error) error {
	if err == nil {
		err = errScripted
	}
	if t.Part == 0 { // else the loop fails
		err = r.WrapError(t.Name.Value, err)
	}
	if main := s.fallbackOwners[t]; main != nil {
		return s.stepError(main, r, err)
	}

	return err
}

// failForValue returns a copy of the path that failed because of a value in a step.
func (s *workSearch) failForValue(t *ir.Task, p *workPath, err error) *workPath {
	s.noteUnfit(t, err)

	return p.withError(err)
}

// noteUnfit records that a step failed because of a value.
func (s *workSearch) noteUnfit(t *ir.Task, err error) {
	if s.n.unfit == nil {
		s.n.unfit = &unfitStep{t, err}
	}
}

// noteMissing records that a condition in a step is unknown. Other values may avoid that only if
// there were too many to try all.
func (s *workSearch) noteMissing(t *ir.Task) {
	if s.candidates.isSample {
		s.noteUnfit(t, errMissing)
	}
}

// Keep writes the output of a task to where the task directs it. A person's answer may then leave
// the state.
func (s *workSearch) Keep(t *ir.Task, in paths) (kept ends) {
	for _, p := range in {
		next := p.leaveFrame(t)
		isOpen, err := next.run.storeOutput(t, next.value)
		if err == nil {
			kept.Done = append(kept.Done, next.asOpenIf(isOpen))
			continue
		}
		next = s.failForValue(t, next, err)
		next.err = s.stepError(t, next.run, err)
		kept.Failed = append(kept.Failed, next)
	}
	if _, asks := t.Do.(*ir.Ask); asks {
		kept.Done, kept.Paused = s.splitByLeaving(kept.Done)
	}

	return kept
}

// Do runs a task without inner steps, with each of the answers that may make a difference. A task
// whose text or data cannot be computed fails.
func (s *workSearch) Do(t *ir.Task, in paths) ends {
	if !builtin.CanTextFail(t) {
		return s.do(t, in)
	}
	var computed, failed paths
	for _, p := range in {
		if p.run.failsToCompute(t, s.taskInput(t)) {
			failed = append(failed, s.failForValue(t, p, errScripted))
		} else {
			computed = append(computed, p)
		}
	}
	e := ends{}
	if len(computed) > 0 {
		e = s.do(t, computed)
	}
	e.Failed = slices.Concat(failed, e.Failed)

	return e
}

// do is Do for a task whose texts and data are computed.
func (s *workSearch) do(t *ir.Task, in paths) ends {
	switch do := t.Do.(type) {
	case *ir.Run:
		if do.Step == nil {
			return s.runAgent(t, do.Agent.Agent, in)
		}
		label := do.Step.Label(in[0].run.agent.Name.Value)
		return s.branchOnAnswers(t, in, answerSet{
			kind: kindReply, name: label, values: s.candidates.values(t, do.Step.Output(), "An answer of "+label+"."), turn: sayTurn,
		})
	case *ir.UseFunc:
		takes, failed := s.acceptArguments(t, do.Func, in)
		e := s.branchOnAnswers(t, takes, answerSet{kind: kindResult, name: do.Func.Name.Value, values: s.candidates.functionResults(t, do.Func, in[0].run.flow.Context), turn: resultTurn})
		e.Failed = slices.Concat(failed, e.Failed)
		return e
	case *ir.UseBuiltin:
		return s.runBuiltin(t, do, in)
	case *ir.Ask:
		e := s.askPerson(t, do.Answer.Schema, in)
		return s.addTimeouts(t, do, in, e)
	case *ir.Import:
		return s.runImport(t, do, in)
	case *ir.Receive:
		return s.receiveInput(t, do.Schema, in)
	case *ir.PassOn:
		return s.wait(t, do, in)
	case *ir.Branch, *ir.Loop, *ir.Parallel, *ir.Machine: // they have inner steps
	case *ir.Return:
	}

	return ends{Done: in}
}

// receiveInput reads the input of a workflow as its schema says. Of a run that begins with the workflow
// each input is tried that may make a difference; of an import, also those of an unknown input.
func (s *workSearch) receiveInput(t *ir.Task, schema *ir.Schema, in paths) (e ends) {
	var open paths
	for _, p := range in {
		given := p.value
		text, isText := given.AsText()
		if isText && text == unknownMark {
			open = append(open, p)
			continue
		}
		if isText && !sample.Fits(schema, given.JSON()) {
			given = parseValue(text)
		}
		if !canFit(schema, given) {
			e.Failed = append(e.Failed, s.failForValue(t, p, errScripted))
			continue
		}
		next := *p
		next.value = withDefaults(schema, given)
		e.Done = append(e.Done, next.asOpenIf(isUnknown(given)))
	}
	if len(open) == 0 {
		return e
	}
	values := s.candidates.values(t, schema, "text")
	begins := s.takesContext[open[0].run.agent] // nothing else runs the workflow
	for _, p := range s.mergeAlike(t, len(values), open) {
		for i, way := range p.split(len(values)) {
			way.value = withDefaults(schema, values[i])
			if begins {
				way = way.withItems(item{kind: kindInput, turn: Turn{Value: values[i].JSON()}})
			} else {
				way = way.asOpen()
			}
			e.Done = append(e.Done, way)
		}
	}

	return e
}

// answerSet is the values of a choice, each with its turn.
type answerSet struct {
	kind   itemKind
	name   string
	values []workflow.Value
	turn   func(workflow.Value) Turn
	// decides is set if the value selects the continuation, and is not the output of the step.
	decides bool
}

// branchOnAnswers continues with each of the values, and with a failure. A script has to answer for
// each.
func (s *workSearch) branchOnAnswers(where any, in paths, a answerSet) (e ends) {
	for _, p := range s.mergeAlike(where, len(a.values)+1, in) {
		for i, way := range p.split(len(a.values) + 1) {
			if i == len(a.values) {
				fails := item{kind: a.kind, name: a.name, turn: Turn{Fails: true}}
				e.Failed = append(e.Failed, way.withItems(fails).withError(errScripted))
				continue
			}
			v := a.values[i]
			way = way.withItems(item{kind: a.kind, name: a.name, turn: a.turn(v)})
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

// acceptArguments returns the paths on which a function accepts its argument. An unknown argument
// is assumed to fit.
func (s *workSearch) acceptArguments(t *ir.Task, f *ir.Func, in paths) (takes, failed paths) {
	for _, p := range in {
		switch {
		case sample.Fits(f.ArgumentSchema(), p.value.JSON()):
			takes = append(takes, p)
		case isUnknown(p.value):
			takes = append(takes, p.asOpen())
		default:
			failed = append(failed, s.failForValue(t, p, errScripted))
		}
	}

	return takes, failed
}

// runAgent runs an agent of the project. A conversation answers like a model of the workflow. Any
// other agent has each of its outcomes.
func (s *workSearch) runAgent(t *ir.Task, a *ir.Agent, in paths) (e ends) {
	free := ir.Place{Kind: ir.PlaceFree}
	if key, ok := singleReplyKey(a); ok {
		step := a.Conversations()[0]
		values := s.candidates.values(t, step.Output(), "An answer of "+a.Name.Value+".")
		replies := func(v workflow.Value) Turn { return replyTurn(step, free, key, v) }
		return s.branchOnAnswers(t, in, answerSet{kind: kindReply, name: a.Name.Value, values: values, turn: replies})
	}
	n := s.builder.agentNode(a, free)
	for _, p := range s.mergeAlike(t, len(n.outcomes), in) {
		for i, way := range p.split(len(n.outcomes)) {
			ran := item{kind: kindRun, node: n, outcomes: []int{i}}
			next := way.withItems(ran)
			next.value = n.outcomes[i].value
			e.Done = append(e.Done, next)
		}
	}

	return e
}

// askPerson asks a person.
func (s *workSearch) askPerson(t *ir.Task, schema *ir.Schema, in paths) (e ends) {
	var spec *rt.OutputSpec
	if schema != nil {
		spec = &rt.OutputSpec{Check: func(said json.RawMessage) error {
			if !sample.Fits(schema, parseValue(string(said)).JSON()) {
				return errScripted
			}
			return nil
		}}
	}
	replies := s.candidates.personReplies(t, schema)
	for _, p := range s.mergeAlike(t, len(replies), in) {
		for i, way := range p.split(len(replies)) {
			answer := replies[i]
			next := way.clone().withCase(t, answer.kind, answer.name)
			for _, text := range answer.texts {
				next = next.withItems(item{kind: kindAnswer, name: t.Name.Value, turn: Turn{Say: text}})
			}
			s.nextAnswer = sayTurn(answer.value).Say
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

// runImport runs another workflow.
func (s *workSearch) runImport(t *ir.Task, do *ir.Import, in paths) (e ends) {
	how := importOptions(t, do)
	var begun paths
	for _, p := range in {
		child := s.newRun(do.Agent.Agent)
		inside := p.enterFrame(frame{subject: do}, p.run.stateKey())
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
			e.Failed = append(e.Failed, s.failForValue(t, p, err))
		}
	}
	inner := s.interp.RunPipeline(do.Agent.Agent.Node.(*ir.Flow).Body, begun)
	e.Returned = inner.Returned
	for _, p := range slices.Concat(inner.Done, inner.Failed) {
		f := p.frameOf(do)
		parent, child, next := *f.run, s.newRun(do.Agent.Agent), *p
		next.frame, next.run = f.outer, &parent
		next.value, next.err = parent.Import(&child.Run, how, func(workflow.Value) (workflow.Value, error) {
			child.Run = p.run.Run
			return p.value, p.err
		}, f.value)
		switch {
		case next.err != nil && p.err == nil:
			e.Failed = append(e.Failed, s.failForValue(t, &next, next.err))
		case next.err != nil:
			e.Failed = append(e.Failed, &next)
		default:
			e.Done = append(e.Done, &next)
		}
	}

	return e
}

// importOptions returns how a step runs another workflow.
func importOptions(t *ir.Task, do *ir.Import) workflow.Import {
	how := workflow.Import{
		Inherit: do.Inherit, All: do.All && t.UpdatesContext, Next: do.Next,
		Skip: do.OnFailure == ir.FailureSkip, Default: do.OnFailure == ir.FailureDefault,
	}
	if do.InputTo != ir.InputToPrompt {
		how.Key = do.Key
	}
	if t.UpdatesContext {
		how.Back = ir.Map(do.Outputs, func(o ir.ImportOutput) [2][]string { return [2][]string{pathNames(o.Child), pathNames(o.Parent)} })
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
			p = s.enterItem(p, b)
		case interp.Turn:
			p = p.clone()
			p.run.turn = turn{b.Turn - 1, b.Task.Do.(*ir.Loop).Max}
		case interp.Arm, interp.Import:
		}
		next := p.enterFrame(frame{subject: b.Body, isApart: runsApart(b)}, s.turnKey(b), before.run.input.JSON(), before.run.this.JSON()).clone()
		next.frame.run = before.run
		next.run.input = next.value

		return next
	})

	return []interp.Entry[paths]{{Start: start}}
}

// runsApart reports whether a block runs in a branch.
func runsApart(b interp.Block) bool {
	loop, isLoop := b.Task.Do.(*ir.Loop)

	return b.Kind == interp.Branch || b.Kind == interp.Item && isLoop && loop.RunsApart()
}

// enterItem returns a path at the beginning of an item. An item in a branch of its own finds the run
// as it was before the list.
func (s *workSearch) enterItem(p *workPath, b interp.Block) *workPath {
	loop := b.Task.Do.(*ir.Loop)
	f := p.frameOf(loop)
	next := p.clone()
	if loop.RunsApart() {
		*next.run = *f.run
		next.run.BeginBranch()
		next.branch = append(slices.Clip(p.branch), b.Turn-1)
	}
	next.value = f.items[b.Turn-1]
	next.run.this, next.run.turn = next.value, turn{b.Turn - 1, knownCount(f.items)}

	return next
}

// knownCount returns the number of items; 0 if the list is not known.
func knownCount(items []workflow.Value) int {
	if len(items) == 1 && isUnknown(items[0]) {
		return 0
	}

	return len(items)
}

// turnKey distinguishes the turns of a body. States of a machine with many steps are not
// distinguished.
func (s *workSearch) turnKey(b interp.Block) string {
	if b.Kind == interp.State && stepLimit(b.Machine, s.maxSteps) > manySteps {
		return ""
	}

	return strconv.Itoa(b.Turn)
}

// Leave ends a body.
func (s *workSearch) Leave(b interp.Block, _ paths, _ interp.Entry[paths], inner ends) ends {
	behind := func(p *workPath) *workPath {
		next := p.leaveFrame(b.Body)
		next.turn = 0
		if b.Kind == interp.Turn {
			next.turn = b.Turn
		}

		return next
	}
	inner = ends{
		Done: ir.Map(inner.Done, behind), Failed: ir.Map(inner.Failed, behind), Paused: ir.Map(inner.Paused, behind), Returned: inner.Returned,
	}
	switch b.Kind {
	case interp.Item:
		if b.Task.Do.(*ir.Loop).RunsApart() {
			return s.leaveItems(b, inner)
		}
		inner.Done = ir.Map(inner.Done, func(p *workPath) *workPath { return p.withOutput(b.Task.Do) })
		inner.Failed = ir.Map(inner.Failed, func(p *workPath) *workPath { return p.withCase(b.Task, CaseFailedItem, "") })
	case interp.Branch:
		inner.Failed = ir.Map(inner.Failed, func(p *workPath) *workPath { return p.withCase(b.Task, CaseFailedBranch, b.Arm.Name.Value) })
		inner.Failed, inner.Paused = slices.Concat(inner.Failed, inner.Paused), nil
	case interp.Arm, interp.Turn, interp.State, interp.Import:
	}

	return inner
}

// Decide calls the function that decides a conditional or a loop. It returns one of the wanted
// values that fit its schema, or another one that fits.
func (s *workSearch) Decide(t *ir.Task, in paths) ends {
	var by *ir.Func
	wanted := []workflow.Value{workflow.Of(true), workflow.Of(false)}
	switch do := t.Do.(type) {
	case *ir.Branch:
		names := ir.Map(do.Branches, func(arm *ir.Arm) workflow.Value { return workflow.Text(arm.Name.Value) })
		by, wanted = do.Func, slices.Concat(names, []workflow.Value{unrelatedText}, wanted)
	case *ir.Loop:
		by = do.Func
	}
	takes, failed := s.acceptArguments(t, by, in)
	values := slices.DeleteFunc(wanted, func(v workflow.Value) bool { return !sample.Fits(by.Output, v.JSON()) })
	if by.Output != nil {
		values = append(values, s.candidates.fittingValues(by.Output, "text", "")...)
	}
	e := s.branchOnAnswers(by, takes, answerSet{kind: kindResult, name: by.Name.Value, values: uniqueValues(values), turn: resultTurn, decides: true})
	e.Failed = slices.Concat(failed, e.Failed)

	return e
}

// Choose returns the paths that take each case.
func (s *workSearch) Choose(c interp.Choice, in paths) interp.Chosen[paths] {
	switch {
	case c.Branch != nil:
		return s.chooseBranch(c.Task, c.Branch, in)
	case c.Loop != nil:
		return s.chooseEnd(c.Task, c.Loop, in)
	}

	return s.chooseRow(c, in)
}

// chooseBranch returns the paths that take each branch of a conditional.
func (s *workSearch) chooseBranch(t *ir.Task, do *ir.Branch, in paths) interp.Chosen[paths] {
	chosen := interp.Chosen[paths]{Cases: make([]paths, len(do.Branches))}
	take := func(p *workPath, key workflow.Value, i int) {
		next := *p
		p, next.verdict = &next, workflow.Value{}
		switch {
		case i >= 0:
			chosen.Cases[i] = append(chosen.Cases[i], p.withCase(t, CaseBranch, do.Branches[i].Name.Value))
		case do.Default != nil:
			chosen.Other = append(chosen.Other, p.withCase(t, CaseDefault, ""))
		default:
			chosen.Other = append(chosen.Other, p.withError(p.run.NoBranch(key.BranchKey())))
		}
	}
	var open paths
	for _, p := range in {
		key := p.value
		switch {
		case do.Func != nil:
			key = p.verdict
		case do.Key != nil:
			key = p.run.evaluate(do.Key.Root)
		}
		switch {
		case key.IsNone():
			s.noteMissing(t)
			chosen.Blocked = append(chosen.Blocked, p.withError(errMissing))
		case isUnknown(key):
			open = append(open, p)
		default:
			take(p, key, slices.IndexFunc(do.Branches, func(arm *ir.Arm) bool { return arm.Name.Value == key.BranchKey() }))
		}
	}
	for _, p := range s.mergeAlike(do, len(do.Branches)+1, open) {
		for i, way := range p.split(len(do.Branches) + 1) {
			take(way.asOpen(), unknown, i-1)
		}
	}

	return chosen
}

// chooseEnd returns the paths on which a loop ends after a turn. On the others it continues, or is
// at its bound.
func (s *workSearch) chooseEnd(t *ir.Task, do *ir.Loop, in paths) interp.Chosen[paths] {
	chosen := interp.Chosen[paths]{Cases: make([]paths, 1)}
	var all []judgedPath
	switch {
	case do.Func != nil:
		all = ir.Map(in, func(p *workPath) judgedPath { return judgedPath{p, workflow.Known(p.verdict.True())} })
	case do.Exit != nil:
		all = s.decideCondition(do, in, do.Exit, func(p *workPath) workflow.Value { return p.value })
	default:
		all = judgeAll(workflow.Known(false), in)
	}
	for _, j := range all {
		turn, p := j.turn, *j.workPath
		p.turn, p.verdict = 0, workflow.Value{}
		if do.AtBound != nil {
			p = *p.clone()
			p.run.setOutput(do.AtBound, workflow.Of(!j.truth.Holds() && turn >= do.Max))
		}
		switch {
		case j.truth.Holds():
			chosen.Cases[0] = append(chosen.Cases[0], p.withCase(t, turnEndCase(turn), ""))
		case turn < do.Max:
			chosen.Other = append(chosen.Other, &p)
		case do.OnBound == ir.BoundDone:
			chosen.Other = append(chosen.Other, p.withCase(t, CaseBound, ""))
		default:
			chosen.Other = append(chosen.Other, p.withCase(t, CaseBound, "").withError(p.run.LoopLimit(do.Max)))
		}
	}

	return chosen
}

// Item returns the paths on which a list has an item for a turn. An unknown list has one.
func (s *workSearch) Item(loop *ir.Loop, turn int, in paths) (next, skipped paths) {
	for _, p := range in {
		if turn == 1 {
			p = s.enterItems(loop, p)
		}
		if turn <= len(p.frameOf(loop).items) {
			next = append(next, p)
		} else {
			skipped = append(skipped, p)
		}
	}

	return next, skipped
}

// enterItems returns a path inside of a loop over a list.
func (s *workSearch) enterItems(loop *ir.Loop, p *workPath) *workPath {
	list := p.run.Context(pathNames(loop.ItemsPath())...)
	var items []workflow.Value
	for _, item := range list.Items() {
		items = append(items, item)
	}
	switch {
	case isUnknown(list):
		items = []workflow.Value{unknown}
		p = p.asOpen()
	case list.IsList():
		p = p.withCase(s.loopTasks[loop], itemCountCase(list.Len()), "")
	}

	return p.enterFrame(frame{subject: loop, items: items}, p.run.this.JSON(), list.JSON())
}

// withOutput returns a path on which a loop over a list has one more output.
func (p *workPath) withOutput(loop any) *workPath {
	f := *p.frameOf(loop)
	f.outputs = append(slices.Clip(f.outputs), p.value)
	f.key += "\x02" + p.value.JSON()
	next := *p
	next.frame = &f

	return &next
}

// leaveItems returns the paths after an item that runs in a branch of its own. They all continue:
// other items run even if one fails.
func (s *workSearch) leaveItems(b interp.Block, inner ends) ends {
	failed := ir.Map(inner.Failed, func(p *workPath) *workPath { return p.withCase(b.Task, CaseFailedItem, "") })
	done := ir.Map(slices.Concat(inner.Done, failed, inner.Paused), func(p *workPath) *workPath {
		f := *p.frameOf(b.Task.Do)
		f.ends = append(slices.Clip(f.ends), p)
		f.key += fmt.Sprint("\x02", p.value.JSON(), p.err != nil, p.leavesState, p.run.stateKey())
		next := p.clone()
		*next.run = *f.run
		next.frame, next.branch = &f, p.branch[:len(p.branch)-1]
		next.err, next.leavesState = nil, false

		return next
	})

	return ends{Done: done}
}

// Tolerate returns no paths: a path continues after an item that fails, and the list fails if it
// has to.
func (*workSearch) Tolerate(_ *ir.Loop, _, failed paths) paths { return failed }

// Collect returns the paths after a loop over a list. A value that is not a list fails.
func (s *workSearch) Collect(loop *ir.Loop, in paths) (e ends) {
	for _, p := range in {
		f := p.frameOf(loop)
		next := p.leaveFrame(loop)
		none := func(workflow.Value) (workflow.Value, error) { return workflow.Value{}, nil }
		place := pathNames(loop.ItemsPath())
		if list := f.run.Context(place...); !list.IsList() && !isUnknown(list) {
			_, err := next.run.Each(none, place...)
			e.Failed = append(e.Failed, s.failForValue(s.loopTasks[loop], next, err))
			continue
		}
		next.value = workflow.List(f.outputs...)
		if loop.RunsApart() && !next.joinItems(loop, f) {
			if next.leavesState {
				e.Paused = append(e.Paused, next)
			} else {
				e.Failed = append(e.Failed, next)
			}
			continue
		}
		if loop.Result != nil {
			about := *next.run
			about.result = next.value
			next.value = about.datumValue(loop.Result)
		}
		e.Done = append(e.Done, next)
	}

	return e
}

// joinItems gives the path the outputs of items that ran in branches. ok is false if the list fails
// or if an item leaves the state.
func (p *workPath) joinItems(loop *ir.Loop, f *frame) (ok bool) {
	p.leavesState = slices.ContainsFunc(f.ends, func(end *workPath) bool { return end.leavesState })
	place := pathNames(loop.ItemsPath())
	about := *p.run
	isKnown := knownCount(f.items) > 0
	if !isKnown { // or there are none
		about.Run = workflow.Start(&effects{search: p.run.search}, p.run.agent.Name.Value)
		_ = about.SetContext(workflow.List(f.items...), place...)
	}
	how := workflow.Items{Width: loop.Width, Skip: loop.Failed == ir.FailureIgnored, Keep: loop.Failed == ir.FailureKept}
	n := 0
	outputs, last, err := workflow.EachApart(&about, how, func(in *workRun, _ workflow.Value) (workflow.Value, error) {
		end := f.ends[n]
		n++
		*in = *end.run
		return end.value, end.err
	}, place...)
	p.value, p.err = outputs, err
	if err != nil {
		return false
	}
	if isKnown {
		p.run.Run = about.Run
	}
	ir.WalkTasks(loop.Body, func(t *ir.Task) {
		if last == nil {
			return
		}
		if v, isThere := last.outputs[t.Output]; isThere {
			p.run.setOutput(t.Output, v)
		}
	})

	return true
}

// Advance continues with all paths.
func (*workSearch) Advance(p interp.Progress[paths]) interp.Step[paths] {
	return interp.Step[paths]{Next: p.After, GoesOn: true}
}
