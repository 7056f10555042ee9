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

// stateMark begins the text of a stateID, which no name of a source has: the names are those of
// [workSearch.states].
const stateMark = "\ue001"

func (s stateID) String() string { return stateMark + strconv.Itoa(int(s)) }

// named returns a value in which the text of a stateID is the name of the state.
func (s *workSearch) named(v workflow.Value) workflow.Value {
	text, _ := v.AsText()
	digits, isState := strings.CutPrefix(text, stateMark)
	if id, err := strconv.Atoi(digits); isState && err == nil {
		return workflow.Text(s.states[id-1].Name.Value)
	}

	return v
}

// numberStates gives the states of a machine numbers, unless they have some.
func (s *workSearch) numberStates(m *ir.Machine) {
	for _, state := range m.States {
		if s.ids[state] == 0 {
			s.states = append(s.states, state)
			s.ids[state] = stateID(len(s.states))
		}
	}
}

// manySteps is a bound on the states of a machine beyond which paths are not distinguished by how
// many have run.
const manySteps = 20

// Begin changes nothing: see [workSearch.Starts].
func (*workSearch) Begin(_ *ir.Task, _ *ir.Machine, in paths) paths { return in }

// Starts returns the paths inside of a machine, by the states where it begins: any state if the name
// of that is not known.
func (s *workSearch) Starts(t *ir.Task, m *ir.Machine, in paths) (starts []interp.Start[paths], failed paths) {
	s.numberStates(m)
	begin := func(p *workPath, picked *ir.State) {
		next := s.begin(t, m, p, picked)
		if next.to == nil {
			failed = append(failed, next)
		} else {
			starts = append(starts, interp.Start[paths]{State: next.to, In: paths{next}})
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
	for _, p := range s.merge(m, len(m.States), open) {
		for i, way := range p.split(len(m.States)) {
			begin(way.depending(), m.States[i])
		}
	}

	return starts, failed
}

// begin returns a path inside of a machine. picked is the state where it begins if its name is not
// known, else nil.
func (s *workSearch) begin(t *ir.Task, m *ir.Machine, p *workPath, picked *ir.State) *workPath {
	s.found(p.run.agent, t, m)
	outer := []workflow.Value{p.value, p.run.NextState(), p.run.CurrentState(), p.run.next, workflow.Text(p.run.event)}
	next := p.inside(frame{of: m}, ir.Map(outer, workflow.Value.JSON)...).copied()
	parse := func(name string) (stateID, error) { return s.parse(m, name) }
	w := workflow.NewMachine(&next.run.Run, t.Name.Value, limit(m, s.maxSteps), parse, p.value)
	s.picked = picked
	at := w.Begin(s.ids[m.Initial.State])
	s.picked = nil
	next.around.machine = w
	if at == 0 {
		return next
	}

	return next.moving(m, s.states[at-1])
}

// moving returns a copy of the path that enters a state next.
func (p *workPath) moving(m *ir.Machine, to *ir.State) *workPath {
	next := p.with(item{kind: kindEnter, state: p.run.search.machines[m].states[to]})
	next.to = to

	return next
}

// onMachine returns a copy of the path, with a copy of the machine of a frame that is the innermost.
func (p *workPath) onMachine(m *ir.Machine) (*workPath, *workflow.Machine[stateID]) {
	next, f := p.copied(), *p.frameOf(m)
	f.machine = f.machine.On(&next.run.Run)
	next.around = &f

	return next, f.machine
}

// enterState returns a path at the beginning of the steps of a state.
func (s *workSearch) enterState(p *workPath, b interp.Block) *workPath {
	next, w := p.onMachine(b.Machine)
	w.Enter(s.ids[b.State])
	next.around.state = b.State
	next.run.next, next.run.event = workflow.Value{}, ""
	next.value, next.to = w.Input(), nil

	return next
}

// Event records how the steps of a state came out.
func (*workSearch) Event(at interp.At[paths], _ string, in paths) paths {
	return ir.Map(in, func(p *workPath) *workPath {
		next, w := p.onMachine(at.Machine)
		w.RecordOutput(p.value, p.err)
		next.run.event = string(w.Event())
		next.err, next.leaves, next.isDoubtful = nil, false, false

		return next
	})
}

// chooseRow returns which paths take which row: the first one whose guard holds. Behind a guard that is
// unknown no row without one is taken, and next_state is not followed: the machine fails, as it does
// where no row leads on. The others follow next_state, or end.
func (s *workSearch) chooseRow(c interp.Choice, in paths) interp.Chosen[paths] {
	chosen := interp.Chosen[paths]{Cases: make([]paths, len(c.Rows))}
	result := func(p *workPath) workflow.Value { return p.run.Result() }
	for i, row := range c.Rows {
		var left paths
		for _, j := range s.guard(row, in, result) {
			switch {
			case j.truth == workflow.Unknown:
				next := j.copied()
				next.run.RecordRefused(row.When.Text.Value, j.truth.String(), []string{})
				next.isDoubtful = true
				left = append(left, next)
			case !j.truth.Holds():
				left = append(left, j.workPath)
			case row.When == nil && j.isDoubtful:
				next := j.copied()
				next.run.Else(rt.MatchExact)
				failed, _ := s.follow(c, next, nil)
				chosen.Blocked = append(chosen.Blocked, failed)
			default:
				chosen.Cases[i] = append(chosen.Cases[i], j.with(item{kind: kindTake, row: s.machines[c.Machine].of[row]}))
			}
		}
		in = left
	}
	var open paths
	for _, p := range in {
		if c.Event == ir.OnSuccess && !p.isDoubtful && isUnknown(p.run.nextName()) {
			open = append(open, p)
			continue
		}
		if next, isEnd := s.follow(c, p, nil); isEnd || next.to != nil {
			chosen.Other = append(chosen.Other, next)
		} else {
			chosen.Blocked = append(chosen.Blocked, next)
		}
	}
	for _, p := range s.merge(c.State, len(c.Machine.States), open) {
		for i, way := range p.split(len(c.Machine.States)) {
			next, _ := s.follow(c, way.depending(), c.Machine.States[i])
			chosen.Other = append(chosen.Other, next)
		}
	}

	return chosen
}

// nextName is the next_state of a state that has ended.
func (r *workRun) nextName() workflow.Value { return r.NextState().Or(r.next) }

// guard decides the guard of a row when a state gave a result.
func (s *workSearch) guard(row *ir.Row, in paths, result func(*workPath) workflow.Value) []judged {
	if row.When == nil {
		return judgedAs(workflow.Known(true), in)
	}

	return s.decide(row, in, row.When.Formula, result)
}

// follow returns a path behind next_state. picked is the state that this means if it is not known, else
// nil. isEnd says that the machine ends well instead.
func (s *workSearch) follow(c interp.Choice, p *workPath, picked *ir.State) (next *workPath, isEnd bool) {
	next, w := p.onMachine(c.Machine)
	s.picked = picked
	to, match := w.Follow(c.Machine.HasNoRows(c.State))
	s.picked = nil
	if match == "" {
		return next, w.Event() == workflow.Success
	}
	w.Take(to, match)
	next.around.steps++

	return next.moving(c.Machine, s.states[to-1]), false
}

// Take returns the paths behind a move. Those that follow next_state have been led on already.
func (s *workSearch) Take(at interp.At[paths], move interp.Move, in paths) paths {
	if move.Row == nil {
		return ir.Where(in, func(p *workPath) bool { return p.to == move.To })
	}
	if move.To == nil {
		return nil
	}

	return ir.Map(in, func(p *workPath) *workPath {
		next, w := p.onMachine(at.Machine)
		w.Take(s.ids[move.To], rt.MatchExact)
		next.around.steps++

		return next.moving(at.Machine, move.To)
	})
}

// Stop returns the paths behind a machine that ends in a state.
func (s *workSearch) Stop(at interp.At[paths], isRowless bool, in paths) paths {
	if isRowless {
		in = ir.Where(in, func(p *workPath) bool { return p.to == nil })
	}

	return ir.Map(in, func(p *workPath) *workPath { return p.end(at.Machine, s.ids[at.State]) })
}

// end returns a path behind a machine that ended in a state, or failed.
func (p *workPath) end(m *ir.Machine, state stateID) *workPath {
	f := p.frameOf(m)
	next, w := p.onMachine(m)
	next.value, next.err = w.End(state)
	next.around, next.to = f.outer, nil
	next.run.next, next.run.event = f.run.next, f.run.event

	return next
}

// Stall notes nothing: the machine has failed then.
func (*workSearch) Stall(interp.At[paths], paths) {}

// Finish ends the machines that failed. Those that may run no more states fail here, and those that go
// on elsewhere are left out.
func (s *workSearch) Finish(_ *ir.Task, m *ir.Machine, e ends) ends {
	failed, _ := s.Fresh(nil, e.Failed)
	e.Failed = nil
	for _, p := range failed {
		if p.to == nil {
			e.Failed = append(e.Failed, p.end(m, 0))
			continue
		}
		next, w := p.onMachine(m)
		if next.around.steps >= limit(m, s.maxSteps) && !w.Enter(s.ids[p.to]) {
			e.Failed = append(e.Failed, next.end(m, 0))
		}
	}

	return e
}

// leaving returns the paths on which a person's answer leaves the state, because a row on that leads
// to another one or cannot be decided, and those on which it does not.
func (s *workSearch) leaving(in paths) (stays, leaves paths) {
	if len(in) == 0 {
		return nil, nil
	}
	f := in[0].around // all are in the same state
	for f != nil && !f.isBoundary() {
		f = f.outer
	}
	if f == nil || f.state == nil {
		return in, nil
	}

	return s.answered(f.of.(*ir.Machine), f.state, in)
}

// isBoundary reports whether an answer is one for a machine, or for none outside.
func (f *frame) isBoundary() bool {
	_, isImport := f.of.(*ir.Import)

	return isImport || f.state != nil
}

// answered returns on which paths an answer in a state leaves it.
func (s *workSearch) answered(m *ir.Machine, at *ir.State, in paths) (stays, leaves paths) {
	leave := func(p *workPath) {
		next := p.failing(p.run.Leave(p.value))
		next.leaves, next.isDoubtful = true, false
		leaves = append(leaves, next)
	}
	for _, row := range m.RowsOn(at, ir.OnPause) {
		var left paths
		for _, j := range s.guard(row, in, func(p *workPath) workflow.Value { return p.value }) {
			switch {
			case j.truth == workflow.Unknown:
				next := *j.workPath
				next.isDoubtful = true
				left = append(left, &next)
			case !j.truth.Holds(), row.When == nil && j.isDoubtful:
				left = append(left, j.workPath)
			case interp.Stays(at, row):
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

// parse finds a state by its name: the one that was picked if that is not known.
func (s *workSearch) parse(m *ir.Machine, name string) (stateID, error) {
	if s.picked != nil {
		return s.ids[s.picked], nil
	}
	for _, state := range m.States {
		if id := s.ids[state]; state.Name.Value == name || id.String() == name {
			return id, nil
		}
	}

	return 0, fmt.Errorf("no state is called %q", name)
}
