package ir

import (
	"slices"
	"strings"
)

// Place says which keys are legal where an agent or a step runs: legal(place) of the language's
// description. Agents are compiled once and may run in many places, so that a place is given
// relative to the one around it: emission writes it into Go, and package runtime applies it to the
// place that is passed down, as [Place.Within] does.
type Place struct {
	Kind PlaceKind
	// State is the name of the place in events and errors, and Keys are those that are routed
	// there, each once, in the order in which a model is offered them. Both are empty for the free
	// and the outer place; a place of a machine has no State.
	State string
	Keys  []string
}

// PlaceKind is the kind of a place. What is legal at a free, an open and a closed one does not
// depend on the place around it.
type PlaceKind uint8

const (
	// PlaceFree: the key is not read.
	PlaceFree PlaceKind = iota
	// PlaceOuter: the key is that of the machine or flow around it, so whatever is legal for that
	// is legal here.
	PlaceOuter
	// PlaceOpen: the keys are routed, and every other text is too.
	PlaceOpen
	// PlaceOr: the keys are routed; any other key is that of the machine or flow around it. Open
	// where that is open or free.
	PlaceOr
	// PlaceClosed: exactly the keys.
	PlaceClosed
)

// Place returns what is legal in a state in which an agent runs. It is the first of these that
// fits:
//
//  1. an unconditional state that leads to a marker: outer, because its agent's key is the machine's; any other
//     unconditional state: free;
//  2. rows without "*": closed;
//  3. rows whose "*" ends the machine (it leads to a marker or to ~): or; rows with any other "*": open;
//  4. a terminal: outer.
//
// Guards are taken as possible: a key is legal if it has a row, whether or not the guards of its
// rows hold, and of several "*" with guards one that ends the machine is enough for 3, because any
// key may then be the machine's.
//
// Rule 5, that an entry point is free, is a matter of the place that the machine is given.
func (s *State) Place() Place {
	switch {
	case s.Always != nil && s.Always.State.Marker():
		return Place{Kind: PlaceOuter}
	case s.Always != nil:
		return Place{}
	case s.Terminal():
		return Place{Kind: PlaceOuter}
	}

	place := Place{Kind: PlaceClosed, Keys: s.Keys()}
	for _, row := range s.Rows {
		switch {
		case !row.IsCatchAll():
		case row.Leaves():
			place.Kind = PlaceOr
		case place.Kind != PlaceOr:
			place.Kind = PlaceOpen
		}
	}

	return place
}

// Within returns what is legal at a place inside of a machine or a flow that runs at outer, which
// is free, open or closed.
func (p Place) Within(outer Place) Place {
	switch p.Kind {
	case PlaceOuter:
		return outer
	case PlaceOr:
		in := Place{Kind: PlaceOpen, Keys: Unique(slices.Concat(p.Keys, outer.Keys))}
		if outer.Kind == PlaceClosed {
			in.Kind = PlaceClosed
		}

		return in
	}

	return p
}

// PassesOn reports whether a key can be that of the machine or flow around the place.
func (p Place) PassesOn() bool { return p.Kind == PlaceOuter || p.Kind == PlaceOr }

// Keys returns the keys of a state's rows in source order, each once, without the catch-all.
func (s *State) Keys() []string {
	keyed := Where(s.Rows, func(row *Row) bool { return !row.IsCatchAll() })

	return Unique(Map(keyed, func(row *Row) string { return row.Key.Value }))
}

// Leaves reports whether the machine is over when the row is taken, so that the row's key is the
// machine's. A terminal with an agent is none: there that agent's key is the machine's.
func (r *Row) Leaves() bool { return r.End || r.To.State.Marker() }

// FoldKey returns key as it is compared with rows when no row is exactly equal: trimmed and
// lower-cased.
func FoldKey(key string) string { return strings.ToLower(strings.TrimSpace(key)) }

const (
	// DoneKey is the key of an agent that has no choice (oneshot and most patterns), and ResultKey
	// its older name. The front end makes a row of the older name one of the newer where a oneshot
	// runs.
	DoneKey   = "done"
	ResultKey = "result"
	// ExhaustedKey is the key of a reflexion or a plan-execute whose limit is reached, where that
	// key has a row.
	ExhaustedKey = "exhausted"
)

// Ends returns with which keys a flow finishes: done says that it can be the key done, own are the
// runs whose key is the flow's, but for those that the flow itself routes. It can be [ExhaustedKey]
// too where that has a row.
func (f *Flow) Ends() (done bool, own []*Run) {
	runs := map[*Output]*Run{}
	WalkTasks(f.Body, func(t *Task) {
		switch do := t.Do.(type) {
		case *Run:
			runs[t.Output] = do
		case *Return:
			of := OutputOf(t.Value())
			if do.Key != KeyOwn {
				done = done || do.Key != KeyUnfinished
			} else if of != nil && runs[of] != nil {
				own = append(own, runs[of])
			}
		}
	})

	return done, own
}

// Limited reports whether the flow has a limit that has a key where that has a row.
func (f *Flow) Limited() bool {
	return slices.ContainsFunc(OpsOf[*Return](f.Body.Ops()), func(r *Return) bool { return r.Key == KeyExhausted || r.Key == KeyUnfinished })
}
