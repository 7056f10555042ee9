package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// judge finds out which moves of a state can be taken, and with which keys the machine ends in it.
func (x *Machine) judge(s *State) {
	out := x.p.Outcomes(s.Agent)
	if !s.Place().PassesKeyOn() && !slices.ContainsFunc(s.Rows, isExhausted) {
		out.Exhausts = false // that key is one of a limit only where it has a row
	}
	isKnown := !x.driven() && !x.Partial && s.Agent != nil && !out.None()
	if isKnown {
		for _, fired := range x.KeySignals(s.State) {
			out = out.withKey(fired.Key, out.Calls())
		}
	}
	switch {
	case x.Gate != nil:
		s.ends = slices.ContainsFunc(x.Gate.Ungated, func(a ir.Text) bool { return a.Value == ir.FinishAction })
	case s.IsTerminal():
		s.ends, s.exits = !isKnown, s.exits.with(out, 0)
	}
	if s.Always != nil {
		x.take(s, s.Moves[0], out, out.Calls())
		return
	}
	if len(s.Rows) > 0 {
		x.judgeRows(s, out, isKnown)
	}
}

func isExhausted(row *ir.Row) bool { return ir.FoldKey(row.Key.Value) == ir.ExhaustedKey }

// take notes that a move can be taken with the keys of some outcomes.
func (x *Machine) take(s *State, move *Move, with Outcomes, calls int) {
	if move.Dead != Alive || calls < move.calls {
		move.calls = calls
	}
	move.Dead = Alive
	switch {
	case x.Gate != nil:
		s.ends = s.ends || move.Ends
	case move.leavesMachine():
		s.exits = s.exits.with(with, 0)
		s.ends = s.ends || with.None()
	}
}

// leavesMachine reports whether a machine of agents ends when a move is taken.
func (m *Move) leavesMachine() bool {
	if m.Row != nil {
		return m.Row.EndsMachine()
	}

	return m.To != nil && m.To.IsMarker()
}

// judgeRows goes through the keys of a conditional state, and at last through those that have no
// row. isKnown says that it is known with which keys the agent finishes.
func (x *Machine) judgeRows(s *State, out Outcomes, isKnown bool) {
	keyed, all := rowsOf(s)
	for _, rows := range keyed {
		key := rows[0].Row.Key.Value
		calls, can := out.callsFor(key)
		if isKnown && !can {
			continue
		}
		with := (Outcomes{p: x.p}).withKey(key, calls)
		x.choose(s, rows, all, s.known(expr.KeyIs(key)), func(move *Move) { x.take(s, move, with, calls) })
	}
	rest := out.Beyond(s.State)
	switch {
	case len(all) == 0:
	case isKnown && rest.isLimitAlone() && !x.p.routesLimit: // only a row around the machine would bring it
		s.exits = s.exits.with(rest, 0)
	case !isKnown || !rest.None():
		x.choose(s, nil, all, s.known(nil), func(move *Move) { x.take(s, move, rest, rest.Calls()) })
	}
	none := !slices.ContainsFunc(s.Moves, func(move *Move) bool { return move.Dead != NoKey })
	s.Unrouted = isKnown && len(all) == 0 && (none || !rest.Empty())
	s.Beyond = s.Unrouted && none && rest.Empty() && x.p.beyond(s)
}

// isLimitAlone reports whether the key of a limit is the only outcome.
func (o Outcomes) isLimitAlone() bool { return o.Exhausts && o.Empty() && !o.Adapts() }

// beyond reports whether the machine that runs in a state could finish with the key of one of its
// rows if it had no bounds.
func (p *Program) beyond(s *State) bool {
	inner := p.machines[s.Agent.MachineOf()]

	return inner != nil && slices.ContainsFunc(s.Rows, func(row *ir.Row) bool { return inner.unbound.Can(row.Key.Value) })
}

// rowsOf returns the rows of each key, and those of the catch-all, in the order in which they are
// tried.
func rowsOf(s *State) (keyed [][]*Move, all []*Move) {
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

// choose calls take for each row that a key can take: those of the key are tried, and then those of
// the catch-all. There are none of the key, and nothing is known of it, where it represents all
// that have no row.
func (x *Machine) choose(s *State, rows, all []*Move, known expr.Known, take func(*Move)) {
	if len(rows) > 0 && rows[0].Row.When == nil {
		for _, hidden := range rows[1:] {
			hidden.Dead = Shadowed
		}
		take(rows[0])
		return
	}
	moves := slices.Concat(rows, all)
	outcomes := Choose(ir.Map(moves, func(move *Move) *ir.Row { return move.Row }), known)
	if outcomes.None && len(rows) > 0 {
		s.perhapsNone = append(s.perhapsNone, rows[0].Row.Key.Value)
	}
	for i, move := range moves {
		switch {
		case outcomes.First[i]:
			take(move)
		case i < len(rows):
			move.Dead = NoGuard
			if holds, _ := expr.Judge(interp.Condition(move.Row.When), known); holds {
				move.Dead = Shadowed
			}
		}
	}
}

// Choose returns what can become of rows that are tried one after the other.
func Choose(rows []*ir.Row, known expr.Known) expr.Outcomes {
	return expr.Choose(ir.Map(rows, func(row *ir.Row) ir.Expression { return interp.Condition(row.When) }), known)
}
