package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// judgeState finds which moves of a state can be taken, and with which keys the machine ends in it.
func (x *Machine) judgeState(s *State) {
	out := x.p.OutcomesIn(s.State)
	isKnown := !x.isDriven() && !x.Partial && s.Agent != nil && !out.IsNone()
	if isKnown {
		for _, fired := range x.KeySignals(s.State) {
			out = out.withKey(fired.Key, out.Calls())
		}
	}
	switch {
	case x.Gate != nil:
		s.ends = slices.ContainsFunc(x.Gate.Ungated, func(a ir.Text) bool { return a.Value == ir.FinishAction })
	case s.IsTerminal():
		s.ends, s.exits = !isKnown, s.exits.merge(out, 0)
	}
	if s.Always != nil {
		x.takeMove(s, s.Moves[0], out, out.Calls())
		return
	}
	if len(s.Rows) > 0 {
		x.judgeRows(s, out, isKnown)
	}
}

func isExhausted(row *ir.Row) bool { return ir.FoldKey(row.Key.Value) == ir.ExhaustedKey }

// takeMove records that a move can be taken with the keys of some outcomes.
func (x *Machine) takeMove(s *State, move *Move, with Outcomes, calls int) {
	if move.Dead != Alive || calls < move.calls {
		move.calls = calls
	}
	move.Dead = Alive
	switch {
	case x.Gate != nil:
		s.ends = s.ends || move.Ends
	case move.leavesMachine():
		s.exits = s.exits.merge(with, 0)
		s.ends = s.ends || with.IsNone()
	}
}

// leavesMachine reports whether a machine of agents ends when a move is taken.
func (m *Move) leavesMachine() bool {
	if m.Row != nil {
		return m.Row.EndsMachine()
	}

	return m.To != nil && m.To.IsMarker()
}

// judgeRows tries the keys of a conditional state, and then the keys without a row. isKnown reports
// whether the keys of the agent are known.
func (x *Machine) judgeRows(s *State, out Outcomes, isKnown bool) {
	keyed, all := movesByKey(s)
	for _, rows := range keyed {
		key := rows[0].Row.Key.Value
		calls, can := out.callsFor(key)
		if isKnown && !can {
			continue
		}
		with := (Outcomes{p: x.p}).withKey(key, calls)
		x.chooseMoves(s, rows, all, s.knownNames(expr.KeyIs(key)), func(move *Move) { x.takeMove(s, move, with, calls) })
	}
	rest := out.Unrouted(s.State)
	switch {
	case len(all) == 0:
	case isKnown && rest.isLimitAlone() && !x.routesLimit: // only a row around the machine would bring it
		s.exits = s.exits.merge(rest, 0)
	case !isKnown || !rest.IsNone():
		x.chooseMoves(s, nil, all, s.knownNames(nil), func(move *Move) { x.takeMove(s, move, rest, rest.Calls()) })
	}
	none := !slices.ContainsFunc(s.Moves, func(move *Move) bool { return move.Dead != NoKey })
	s.Unrouted = isKnown && len(all) == 0 && (none || !rest.HasNoKeys())
	s.Beyond = s.Unrouted && none && rest.HasNoKeys() && x.p.canFinishUnbounded(s)
}

// isLimitAlone reports whether the key of a limit is the only outcome.
func (o Outcomes) isLimitAlone() bool { return o.Exhausts && o.HasNoKeys() && !o.Adapts() }

// canFinishUnbounded reports whether the machine in a state could finish with the key of a row if
// it had no bounds.
func (p *Program) canFinishUnbounded(s *State) bool {
	inner := p.machines[s.Agent.MachineOf()]

	return inner != nil && slices.ContainsFunc(s.Rows, func(row *ir.Row) bool { return inner.unbound.CanFinishWith(row.Key.Value) })
}

// movesByKey returns the rows of each key, and of the catch-all, in the order in which they are
// tried.
func movesByKey(s *State) (keyed [][]*Move, all []*Move) {
	of := map[*ir.Row]*Move{}
	for _, move := range s.Moves {
		of[move.Row] = move
	}
	for _, rows := range s.RowsByKey() {
		moves := ir.Map(rows, func(row *ir.Row) *Move { return of[row] })
		if rows[0].IsCatchAll() {
			all = moves
		} else {
			keyed = append(keyed, moves)
		}
	}

	return keyed, all
}

// chooseMoves calls take for each row that a key can take. The rows of the key are tried first,
// then those of the catch-all. Without rows, the key represents all keys without a row, and nothing
// is known of it.
func (x *Machine) chooseMoves(s *State, rows, all []*Move, known expr.Known, take func(*Move)) {
	if len(rows) > 0 && rows[0].Row.When == nil {
		for _, hidden := range rows[1:] {
			hidden.Dead = Shadowed
		}
		take(rows[0])
		return
	}
	moves := slices.Concat(rows, all)
	outcomes := ChooseRow(ir.Map(moves, func(move *Move) *ir.Row { return move.Row }), known)
	if outcomes.None && len(rows) > 0 {
		s.perhapsNone = append(s.perhapsNone, rows[0].Row.Key.Value)
	}
	for i, move := range moves {
		switch {
		case outcomes.First[i]:
			take(move)
		case i < len(rows):
			move.Dead = NoGuard
			if holds, _ := expr.Judge(interp.GuardCondition(move.Row.When), known); holds {
				move.Dead = Shadowed
			}
		}
	}
}

// ChooseRow returns which of some rows can be the first whose guard holds.
func ChooseRow(rows []*ir.Row, known expr.Known) expr.Outcomes {
	return expr.Choose(ir.Map(rows, func(row *ir.Row) ir.Expression { return interp.GuardCondition(row.When) }), known)
}
