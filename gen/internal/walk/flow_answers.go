package walk

// wayTo returns the edges by which a configuration is reached.
func (x *flow) wayTo(at int) []step {
	var steps []step
	for by := x.configs[at].last; by.config >= 0; by = x.configs[by.config].last {
		steps = append(steps, by)
	}
	for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
		steps[i], steps[j] = steps[j], steps[i]
	}

	return steps
}

func (x *flow) play(r *recorder, b *branch, _ *node, w way) {
	for _, by := range x.wayTo(w.at) {
		x.edge(r, b, by, -1, nil)
	}
}

func (x *flow) pass(r *recorder, b *branch, p *pass, focus func(*branch)) {
	for _, by := range x.wayTo(p.at) {
		x.edge(r, b, by, -1, nil)
	}
	x.edge(r, b, step{p.at, p.move}, p.branch, focus)
	for at := x.configs[p.at].edges[p.move].to; x.configs[at].outcome < 0; {
		c := &x.configs[at]
		x.edge(r, b, step{at, c.next}, -1, nil)
		at = c.edges[c.next].to
	}
}

// edge answers for what an edge runs, with focus for one branch.
func (x *flow) edge(r *recorder, b *branch, by step, focused int, focus func(*branch)) {
	c := &x.configs[by.config]
	i, e := &x.code[c.at], c.edges[by.edge]
	switch i.kind {
	case askPerson:
		r.ask(b, x.agent, answer)
	case runOne:
		if focus != nil {
			focus(b)
			return
		}
		r.play(b, i.runs[0], e.option)
	default:
		for branch, runs := range i.runs {
			for n := range e.items {
				in := b.inner(branch + n) // one of them is 0
				if branch == focused && n == 0 {
					focus(in)
				} else {
					r.playAny(in, runs)
				}
			}
		}
	}
}
