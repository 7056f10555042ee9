package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// asksPerson reports whether a step of a pipeline asks a person. Questions of a machine inside of
// it belong to the machine's states.
func asksPerson(p *ir.Pipeline) bool {
	return slices.Contains(ir.Fold(p, func(op ir.Op, inside []bool) bool {
		switch op.(type) {
		case *ir.Ask:
			return true
		case *ir.Machine:
			return false
		}

		return slices.Contains(inside, true)
	}), true)
}

// findLeavingQuestions returns the questions in the states of machines whose answers always leave
// the state, each with the row on pause that does it.
func findLeavingQuestions(body *ir.Pipeline) map[*ir.Task]*ir.Row {
	found := map[*ir.Task]*ir.Row{}
	ir.WalkTasks(body, func(t *ir.Task) {
		m, isMachine := t.Do.(*ir.Machine)
		if !isMachine {
			return
		}
		for _, s := range m.States {
			if row := leavingRow(m, s); row != nil {
				eachOwnQuestion(s.Body, func(asked *ir.Task) { found[asked] = row })
			}
		}
	})

	return found
}

// leavingRow returns the row without a guard that takes every answer in a state to another one,
// unless a row before it does; nil if an answer may stay in the state.
func leavingRow(m *ir.Machine, s *ir.State) *ir.Row {
	for _, row := range m.RowsOn(s, ir.OnPause) {
		switch {
		case interp.StaysInState(s, row):
			return nil
		case row.When == nil:
			return row
		}
	}

	return nil
}

// eachOwnQuestion calls visit for each question in the steps of a state that no machine inside of
// the state answers.
func eachOwnQuestion(p *ir.Pipeline, visit func(*ir.Task)) {
	for _, t := range p.Steps() {
		for by := t; by != nil; by = by.Fallback {
			switch by.Do.(type) {
			case *ir.Machine:
				continue
			case *ir.Ask:
				visit(by)
			}
			for _, inside := range by.Pipelines() {
				eachOwnQuestion(inside, visit)
			}
		}
	}
}

// findLeavingQuestion finds the question of a state whose steps never end well that is the reason.
func (s *State) findLeavingQuestion(m *ir.Machine) {
	row := leavingRow(m, s.State)
	if row == nil {
		return
	}
	eachOwnQuestion(s.Body, func(asked *ir.Task) {
		if s.LeavingQuestion == nil {
			s.LeavingQuestion, s.LeavingRow = asked, row
		}
	})
}
