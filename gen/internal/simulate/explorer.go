package simulate

import (
	"fmt"
	"slices"
)

// explorer finds the graph of a gate by running it again and again. A run is a function that does what the node does, and calls
// choose where several things can follow. Each run makes the choices of an earlier one, then one more, and goes on to the next
// choice. Points are equal from which the same can follow.
type explorer struct {
	n     *node
	known map[string]int
	// open are the choices that have not been looked at, by how many choices on the way there are not the first one.
	open [][]attempt

	// choices are those that the run makes again, and made counts them.
	choices []int
	made    int
	others  int
	// from is the point behind which the run is now; the others are what has happened since.
	from   int
	items  []item
	depend string
}

// attempt is a run that is still to be made: the choices that lead to a point, and one at the point. others are those that are not the
// first one.
type attempt struct {
	point   int
	choices []int
	others  int
}

// stopped ends a run that has reached a choice.
type stopped struct{}

func newExplorer(n *node) *explorer {
	return &explorer{n: n, known: map[string]int{}}
}

// explore makes the runs first that take the first choice most often, so that whole ones are among them when there are too many. do
// returns how the node finishes; ok is false if it fails.
func (x *explorer) explore(most int, do func() (o outcome, ok bool)) {
	x.open = [][]attempt{{{}}}
	for runs := 0; ; runs++ {
		i := slices.IndexFunc(x.open, func(open []attempt) bool { return len(open) > 0 })
		if i < 0 {
			return
		}
		if runs == most {
			x.n.cut = tooMany
			return
		}
		next := x.open[i][0]
		x.open[i] = x.open[i][1:]
		x.choices, x.others, x.made = next.choices, next.others, 0
		x.from, x.items, x.depend = next.point, nil, ""
		x.try(do)
	}
}

// try makes one run.
func (x *explorer) try(do func() (outcome, bool)) {
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(stopped); !ok {
				panic(v)
			}
		}
	}()
	o, ok := do()
	e := &edge{from: x.from, items: x.items, open: x.depend}
	if ok {
		x.n.finishes(e, o)
		return
	}
	e.to = x.n.point()
	x.n.add(e)
}

// choose picks one of n ways to go on. key distinguishes what can follow.
func (x *explorer) choose(n int, key func() string) int {
	if x.made < len(x.choices) {
		x.made++
		x.items, x.depend = nil, ""
		return x.choices[x.made-1]
	}
	text := fmt.Sprint(key(), "\x01", n)
	point, known := x.known[text]
	if !known {
		point = x.n.point()
		x.known[text] = point
	}
	x.n.add(&edge{from: x.from, to: point, items: x.items, open: x.depend})
	for i := 0; !known && i < n; i++ {
		others := x.others + min(i, 1)
		if others == len(x.open) {
			x.open = append(x.open, nil)
		}
		x.open[others] = append(x.open[others], attempt{point, append(slices.Clip(x.choices), i), others})
	}
	panic(stopped{})
}

// note adds something that happens.
func (x *explorer) note(i item) { x.items = append(x.items, i) }
