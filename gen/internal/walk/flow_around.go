package walk

import "container/heap"

// surround finds the shortest ways on from each configuration, and with them those around what is run.
func (x *flow) surround(n *node) {
	x.goBack(n)
	for at := range x.configs {
		c := &x.configs[at]
		i := &x.code[c.at]
		for _, runs := range i.runs {
			runs.entered = true
		}
		for j, e := range c.edges {
			x.aroundEdge(n, i, step{at, j}, plus(c.ahead, x.configs[e.to].behind))
		}
	}
}

// aroundEdge tells what an edge runs of the turns around the edge.
func (x *flow) aroundEdge(n *node, i *instruction, by step, around int) {
	e := x.configs[by.config].edges[by.edge]
	for branch, runs := range i.runs {
		beside := e.turns - runs.turns() // the other branches
		for at := range runs.outcomes {
			if i.kind == runOne {
				beside = 0
				if asked := x.results[i.name]; asked != nil && !asked.same(&runs.outcomes[at], &runs.outcomes[e.option]) {
					continue
				}
			} else if e.items == 0 {
				continue
			}
			runs.improve(at, plus(around, beside), pass{by: n, at: by.config, move: by.edge, branch: branch})
		}
	}
}

// goBack finds the shortest way on from each configuration.
func (x *flow) goBack(n *node) {
	from := make([][]step, len(x.configs))
	var q queue
	for at := range x.configs {
		c := &x.configs[at]
		c.behind = infinite
		if c.outcome >= 0 {
			c.behind = n.outcomes[c.outcome].rest
			heap.Push(&q, queued{turns: c.behind, count: at, config: at})
		}
		for j, e := range c.edges {
			from[e.to] = append(from[e.to], step{at, j})
		}
	}
	for q.Len() > 0 {
		next := heap.Pop(&q).(queued)
		if next.turns > x.configs[next.config].behind {
			continue
		}
		for _, by := range from[next.config] {
			c := &x.configs[by.config]
			if turns := plus(next.turns, c.edges[by.edge].turns); turns < c.behind {
				c.behind, c.next = turns, by.edge
				heap.Push(&q, queued{turns: turns, count: by.config, config: by.config})
			}
		}
	}
}

// ends returns the outcome with which a pass ends.
func (x *flow) ends(p *pass) int {
	at := x.configs[p.at].edges[p.move].to
	for x.configs[at].outcome < 0 {
		c := &x.configs[at]
		at = c.edges[c.next].to
	}

	return x.configs[at].outcome
}
