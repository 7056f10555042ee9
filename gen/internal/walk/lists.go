package walk

import (
	"fmt"
	"strconv"
)

// tapes are lists of items by name and by the branch in which they are played.
type tapes struct {
	names  []string
	byName map[string]*byBranch
}

// byBranch are the lists of a name.
type byBranch struct {
	paths  []string
	byPath map[string]*tape
}

type tape struct {
	nearest int
	items   []Turn
}

func newTapes() *tapes { return &tapes{byName: map[string]*byBranch{}} }

func (t *tapes) add(name string, b *branch, item Turn) {
	all := t.byName[name]
	if all == nil {
		all = &byBranch{byPath: map[string]*tape{}}
		t.byName[name] = all
		t.names = append(t.names, name)
	}
	one := all.byPath[b.path]
	if one == nil {
		one = &tape{nearest: b.nearest}
		all.byPath[b.path] = one
		all.paths = append(all.paths, b.path)
	}
	one.items = append(one.items, item)
}

// List is what a script has under a name.
type List struct {
	// Name is that of an agent, a step or a question, with @ and the number of a branch where branches differ.
	Name  string
	Turns []Turn
}

// lists writes what was recorded as lists of a script. A script has a list for all branches with the same number in
// the nearest group, or one for all; each branch plays it from its start. The error says which list would have to
// differ.
func lists(t *tapes) ([]List, error) {
	var all []List
	for _, name := range t.names {
		byNumber, numbers, err := byNumber(name, t.byName[name])
		if err != nil {
			return nil, err
		}
		if whole, ok := unify(byNumber, numbers); ok {
			all = append(all, List{name, whole})
			continue
		}
		for _, n := range numbers {
			list := List{name, byNumber[n]}
			if n >= 0 {
				list.Name += "@" + strconv.Itoa(n)
			}
			all = append(all, list)
		}
	}

	return all, nil
}

// byNumber joins the lists of branches with the same number.
func byNumber(name string, b *byBranch) (lists map[int][]Turn, numbers []int, err error) {
	lists = map[int][]Turn{}
	for _, path := range b.paths {
		t := b.byPath[path]
		known, ok := lists[t.nearest]
		if !ok {
			numbers = append(numbers, t.nearest)
		}
		joined, ok := join(known, t.items)
		if !ok {
			return nil, nil, &differError{name: name, number: t.nearest}
		}
		lists[t.nearest] = joined
	}

	return lists, numbers, nil
}

func unify(lists map[int][]Turn, numbers []int) (whole []Turn, ok bool) {
	for _, n := range numbers {
		if whole, ok = join(whole, lists[n]); !ok {
			return nil, false
		}
	}

	return whole, true
}

// join returns the longer one of two lists if the other one is its beginning.
func join(a, b []Turn) ([]Turn, bool) {
	if len(a) < len(b) {
		a, b = b, a
	}
	joined := append([]Turn(nil), a...)
	for i, t := range b {
		switch {
		case t == joined[i]:
		case t.Value != joined[i].Value || t.Say != joined[i].Say || t.Fails != joined[i].Fails || t.Calls != joined[i].Calls,
			t.Signal != joined[i].Signal:
			return nil, false
		case joined[i].anyKey && !t.anyKey:
			joined[i] = t
		case !t.anyKey && !joined[i].anyKey:
			return nil, false // keys differ
		}
	}

	return joined, true
}

// differError is a list that would have to be two: scripts tell branches apart by the number in the nearest group
// alone.
type differError struct {
	name   string
	number int
}

func (e *differError) Error() string {
	return fmt.Sprintf("a script has one list for %q in branches %d of all groups, and they would have to differ",
		e.name, e.number)
}
