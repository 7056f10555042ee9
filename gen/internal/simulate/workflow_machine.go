package simulate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// stateID numbers the states of all machines of a search, from 1.
type stateID uint32

// stateMark starts the text of a stateID. No name of a source has it. The names are in
// [workSearch.states].
const stateMark = "\ue001"

func (s stateID) String() string { return stateMark + strconv.Itoa(int(s)) }

// withStateName returns a value in which the text of a stateID is replaced by the name of the
// state.
func (s *workSearch) withStateName(v workflow.Value) workflow.Value {
	text, _ := v.AsText()
	digits, isState := strings.CutPrefix(text, stateMark)
	if id, err := strconv.Atoi(digits); isState && err == nil {
		return workflow.Text(s.states[id-1].Name.Value)
	}

	return v
}

// numberStates numbers the states of a machine, unless they have numbers.
func (s *workSearch) numberStates(m *ir.Machine) {
	for _, state := range m.States {
		if s.ids[state] == 0 {
			s.states = append(s.states, state)
			s.ids[state] = stateID(len(s.states))
		}
	}
}

// manySteps bounds the steps of machines whose paths are distinguished by how many states have run.
const manySteps = 20

// Begin changes nothing: see [workSearch.Starts].
func (*workSearch) Begin(_ *ir.Task, _ *ir.Machine, in paths) paths { return in }

// Starts returns the paths inside of a machine by their initial states: any state if its name is
// not known.
func (s *workSearch) Starts(t *ir.Task, m *ir.Machine, in paths) (starts []interp.Start[paths], failed paths) {
	s.numberStates(m)
	begin := func(p *workPath, picked *ir.State) {
		next := s.enterMachine(t, m, p, picked)
		if next.nextState == nil {
			failed = append(failed, next)
		} else {
			starts = append(starts, interp.Start[paths]{State: next.nextState, In: paths{next}})
		}
	}
	var open paths
	for _, p := range in {
		if isUnknown(p.run.CurrentState()) {
			open = append(open, p)
		} else {
			begin(p, nil)
		}
	}
	for _, p := range s.mergeAlike(m, len(m.States), open) {
		for i, way := range p.split(len(m.States)) {
			begin(way.asOpen(), m.States[i])
		}
	}

	return starts, failed
}

// enterMachine returns a path inside of a machine. picked is the initial state if its name is not
// known, otherwise nil.
func (s *workSearch) enterMachine(t *ir.Task, m *ir.Machine, p *workPath, picked *ir.State) *workPath {
	s.machineResult(p.run.agent, t, m)
	outer := []workflow.Value{p.value, p.run.NextState(), p.run.CurrentState(), p.run.outputNext, workflow.Text(p.run.event)}
	next := p.enterFrame(frame{subject: m}, ir.Map(outer, workflow.Value.JSON)...).clone()
	parse := func(name string) (stateID, error) { return s.findState(m, name) }
	w := workflow.NewMachine(&next.run.Run, t.Name.Value, stepLimit(m, s.maxSteps), parse, p.value)
	s.pickedState = picked
	at := w.Begin(s.ids[m.Initial.State])
	s.pickedState = nil
	next.frame.machine = w
	if at == 0 {
		return next
	}

	return next.enteringState(m, s.states[at-1])
}

// enteringState returns a copy of the path that enters a state next.
func (p *workPath) enteringState(m *ir.Machine, to *ir.State) *workPath {
	next := p.withItems(item{kind: kindEnter, state: p.run.search.machines[m].stateOf[to]})
	next.nextState = to

	return next
}

// withMachine returns a copy of the path, with a copy of the machine in the innermost frame.
func (p *workPath) withMachine(m *ir.Machine) (*workPath, *workflow.Machine[stateID]) {
	next, f := p.clone(), *p.frameOf(m)
	f.machine = f.machine.On(&next.run.Run)
	next.frame = &f

	return next, f.machine
}

// enterState returns a path at the beginning of the steps of a state.
func (s *workSearch) enterState(p *workPath, b interp.Block) *workPath {
	next, w := p.withMachine(b.Machine)
	w.Enter(s.ids[b.State])
	next.frame.state = b.State
	next.run.outputNext, next.run.event = workflow.Value{}, ""
	next.value, next.nextState = w.Input(), nil

	return next
}

// Event records how the steps of a state ended.
func (*workSearch) Event(at interp.StateVisit[paths], _ string, in paths) paths {
	return ir.Map(in, func(p *workPath) *workPath {
		next, w := p.withMachine(at.Machine)
		w.RecordOutput(p.value, p.err)
		next.run.event = w.Event().String()
		next.err, next.leavesState, next.isDoubtful = nil, false, false

		return next
	})
}

// chooseRow returns the paths that take each row: the first one whose guard holds. After an unknown
// guard, rows without a guard are not taken and next_state is not followed. The machine then fails,
// as it does without a matching row. The other paths follow next_state, or end.
func (s *workSearch) chooseRow(c interp.Choice, in paths) interp.Chosen[paths] {
	chosen := interp.Chosen[paths]{Cases: make([]paths, len(c.Rows))}
	result := func(p *workPath) workflow.Value { return p.run.Result() }
	for i, row := range c.Rows {
		var left paths
		for _, j := range s.decideGuard(row, in, result) {
			switch {
			case j.truth == workflow.Unknown:
				next := j.clone()
				next.run.RecordRefused(row.When.Text.Value, j.truth.String(), []string{})
				next.isDoubtful = true
				left = append(left, next)
			case !j.truth.Holds():
				left = append(left, j.workPath)
			case row.When == nil && j.isDoubtful:
				next := j.clone()
				next.run.MatchUnguarded(rt.MatchExact)
				failed, _ := s.followNext(c, next, nil)
				s.noteMissing(c.Task)
				chosen.Blocked = append(chosen.Blocked, failed)
			default:
				chosen.Cases[i] = append(chosen.Cases[i], j.withItems(item{kind: kindTake, row: s.machines[c.Machine].rowOf[row]}))
			}
		}
		in = left
	}
	var open paths
	for _, p := range in {
		if c.Event == ir.OnSuccess && !p.isDoubtful && isUnknown(p.run.nextStateName()) {
			open = append(open, p)
			continue
		}
		if next, isEnd := s.followNext(c, p, nil); isEnd || next.nextState != nil {
			chosen.Other = append(chosen.Other, next)
		} else {
			chosen.Blocked = append(chosen.Blocked, next)
		}
	}
	for _, p := range s.mergeAlike(c.State, len(c.Machine.States), open) {
		for i, way := range p.split(len(c.Machine.States)) {
			next, _ := s.followNext(c, way.asOpen(), c.Machine.States[i])
			chosen.Other = append(chosen.Other, next)
		}
	}

	return chosen
}

// nextStateName returns the next_state of a state that has ended.
func (r *workRun) nextStateName() workflow.Value { return r.NextState().Or(r.outputNext) }

// decideGuard evaluates the guard of a row on the result of a state.
func (s *workSearch) decideGuard(row *ir.Row, in paths, result func(*workPath) workflow.Value) []judgedPath {
	if row.When == nil {
		return judgeAll(workflow.Known(true), in)
	}

	return s.decideCondition(row, in, row.When.Formula, result)
}

// followNext returns a path after next_state. picked is the state that it names if that is not
// known, otherwise nil. isEnd is true if the machine ends well instead.
func (s *workSearch) followNext(c interp.Choice, p *workPath, picked *ir.State) (next *workPath, isEnd bool) {
	next, w := p.withMachine(c.Machine)
	s.pickedState = picked
	to, match := w.Follow(c.Machine.HasNoRows(c.State))
	s.pickedState = nil
	if match == "" {
		return next, w.Event() == workflow.Success
	}
	w.RecordTransition(to, match)
	next.frame.steps++

	return next.enteringState(c.Machine, s.states[to-1]), false
}

// Take returns the paths after a move. Those that follow next_state have moved already.
func (s *workSearch) Take(at interp.StateVisit[paths], move interp.Move, in paths) paths {
	if move.Row == nil {
		return ir.Where(in, func(p *workPath) bool { return p.nextState == move.To })
	}
	if move.To == nil {
		return nil
	}

	return ir.Map(in, func(p *workPath) *workPath {
		next, w := p.withMachine(at.Machine)
		w.RecordTransition(s.ids[move.To], rt.MatchExact)
		next.frame.steps++

		return next.enteringState(at.Machine, move.To)
	})
}

// Stop returns the paths after a machine that ends in a state. [workSearch.Finish] ends those in an
// end that is a failure.
func (s *workSearch) Stop(at interp.StateVisit[paths], isRowless bool, in paths) paths {
	if at.State.Fails {
		return in
	}
	if isRowless {
		in = ir.Where(in, func(p *workPath) bool { return p.nextState == nil })
	}

	return ir.Map(in, func(p *workPath) *workPath { return p.endMachine(at.Machine, s.ids[at.State]) })
}

// endMachine returns a path after a machine that ended in a state, or failed.
func (p *workPath) endMachine(m *ir.Machine, state stateID, failing ...stateID) *workPath {
	f := p.frameOf(m)
	next, w := p.withMachine(m)
	next.value, next.err = w.End(state, failing...)
	next.frame, next.nextState = f.outer, nil
	next.run.outputNext, next.run.event = f.run.outputNext, f.run.event

	return next
}

// Stall does nothing: the machine has already failed.
func (*workSearch) Stall(interp.StateVisit[paths], paths) {}

// Finish ends the machines that failed. Machines that may run no more states fail here. Paths that
// continue elsewhere are left out.
func (s *workSearch) Finish(_ *ir.Task, m *ir.Machine, e ends) ends {
	failed, _ := s.Fresh(nil, e.Failed)
	e.Failed = nil
	for _, p := range failed {
		if p.nextState == nil {
			e.Failed = append(e.Failed, p.endMachine(m, 0))
			continue
		}
		if state := s.ids[p.nextState]; p.nextState.Fails {
			e.Failed = append(e.Failed, p.endMachine(m, state, state))
			continue
		}
		next, w := p.withMachine(m)
		if next.frame.steps >= stepLimit(m, s.maxSteps) && !w.Enter(s.ids[p.nextState]) {
			e.Failed = append(e.Failed, next.endMachine(m, 0))
		}
	}

	return e
}

// splitByLeaving returns the paths on which a person's answer stays in the state, and those on
// which it leaves, because a pause row leads to another state or cannot be decided.
func (s *workSearch) splitByLeaving(in paths) (stays, leaves paths) {
	if len(in) == 0 {
		return nil, nil
	}
	f := in[0].frame // all are in the same state
	for f != nil && !f.isBoundary() {
		f = f.outer
	}
	if f == nil || f.state == nil {
		return in, nil
	}

	return s.splitByAnswer(f.subject.(*ir.Machine), f.state, in)
}

// isBoundary reports whether an answer belongs to a machine here, or to no machine outside.
func (f *frame) isBoundary() bool {
	_, isImport := f.subject.(*ir.Import)

	return isImport || f.state != nil
}

// splitByAnswer returns the paths on which an answer stays in a state, and those on which it
// leaves.
func (s *workSearch) splitByAnswer(m *ir.Machine, at *ir.State, in paths) (stays, leaves paths) {
	leave := func(p *workPath) {
		next := p.withError(p.run.Leave(p.value))
		next.leavesState, next.isDoubtful = true, false
		leaves = append(leaves, next)
	}
	for _, row := range m.RowsOn(at, ir.OnPause) {
		var left paths
		for _, j := range s.decideGuard(row, in, func(p *workPath) workflow.Value { return p.value }) {
			switch {
			case j.truth == workflow.Unknown:
				next := *j.workPath
				next.isDoubtful = true
				left = append(left, &next)
			case !j.truth.Holds(), row.When == nil && j.isDoubtful:
				left = append(left, j.workPath)
			case interp.StaysInState(at, row):
				next := *j.workPath
				next.isDoubtful = false
				stays = append(stays, &next)
			default:
				leave(j.workPath)
			}
		}
		in = left
	}
	for _, p := range in {
		if p.isDoubtful {
			leave(p)
		} else {
			stays = append(stays, p)
		}
	}

	return stays, leaves
}

// findState finds a state by its name. For an unknown name it is the picked state.
func (s *workSearch) findState(m *ir.Machine, name string) (stateID, error) {
	if s.pickedState != nil {
		return s.ids[s.pickedState], nil
	}
	for _, state := range m.States {
		if id := s.ids[state]; state.Name.Value == name || id.String() == name {
			return id, nil
		}
	}

	return 0, fmt.Errorf("no state is called %q", name)
}
