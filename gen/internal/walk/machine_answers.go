package walk

// wayTo returns the moves that a label of a state stands for.
func (x *machine) wayTo(state, i int) []arc {
	var moves []arc
	for i >= 0 {
		l := x.states[state].reach[i]
		if l.label < 0 {
			break
		}
		moves = append(moves, l.last)
		state, i = l.last.state, l.label
	}
	for i, j := 0, len(moves)-1; i < j; i, j = i+1, j-1 {
		moves[i], moves[j] = moves[j], moves[i]
	}

	return moves
}

func (x *machine) play(r *recorder, b *branch, _ *node, w way) {
	for _, a := range x.wayTo(w.at, w.label) {
		x.step(r, b, a)
	}
	x.step(r, b, arc{w.at, w.move})
}

func (x *machine) pass(r *recorder, b *branch, p *pass, focus func(*branch)) {
	for _, a := range x.wayTo(p.at, p.before) {
		x.step(r, b, a)
	}
	a, rest := arc{p.at, p.move}, p.after
	focus(b)
	x.took(r, b, a)
	for to := x.to(a); to >= 0; to = x.to(a) {
		way := x.states[to].leave[rest]
		a, rest = way.last, way.label
		x.step(r, b, a)
	}
}

// step answers for a state and takes the row.
func (x *machine) step(r *recorder, b *branch, a arc) {
	a = r.instead.of(x, a)
	s := &x.states[a.state]
	r.play(b, s.runs, s.moves[a.move].outcome)
	x.took(r, b, a)
}

// took answers for the guards of a move, and notes its row.
func (x *machine) took(r *recorder, b *branch, a arc) {
	r.say(b, x.states[a.state].moves[a.move].asked)
	if row := x.row(a); row != nil {
		r.took(row)
	}
}
