package walk

// instead is how a walk that is for one row takes as many others as it can: where a move leads on like another one, it
// takes the one whose row no script takes yet.
type instead struct {
	// taken counts the scripts that take a row.
	taken map[*Row]int
	// root is the machine with which the run begins, of which nobody asks with which key it ends; nil if it is none.
	root *machine
	// chosen are the moves that were chosen. One that comes again is the same again, because scripts cannot tell all
	// branches apart.
	chosen map[chosenArc]arc
}

type chosenArc struct {
	machine *machine
	arc     arc
}

func newInstead(taken map[*Row]int, root *node) *instead {
	first, _ := root.body.(*machine)

	return &instead{taken: taken, root: first, chosen: map[chosenArc]arc{}}
}

// of returns the move to make in place of a; nil makes all moves as they are.
func (i *instead) of(x *machine, a arc) arc {
	if i == nil || !i.isTaken(x, a) {
		return a
	}
	at := chosenArc{x, a}
	best, known := i.chosen[at]
	if known {
		return best
	}
	best = a
	for j := range x.states[a.state].moves {
		if b := (arc{a.state, j}); x.alike(a, b, x == i.root) && !i.isTaken(x, b) {
			best = b
			break
		}
	}
	i.chosen[at] = best

	return best
}

func (i *instead) isTaken(x *machine, a arc) bool {
	row := x.row(a)

	return row == nil || i.taken[row] > 0
}

// row returns the row that a move takes; nil in a terminal.
func (x *machine) row(a arc) *Row {
	if row := x.states[a.state].moves[a.move].row; row >= 0 {
		return x.found.Rows[row]
	}

	return nil
}

// alike reports whether it makes no difference to the rest of a walk which of two moves of a state is made. anyEnd says
// that the key with which the machine ends makes none.
func (x *machine) alike(a, b arc, anyEnd bool) bool {
	to := x.to(a)

	return to == x.to(b) && x.turns(a) == x.turns(b) && (to >= 0 || anyEnd)
}
