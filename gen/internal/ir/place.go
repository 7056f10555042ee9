package ir

import (
	"slices"
	"strings"
)

// Place describes which keys are legal where an agent or a step runs: legal(place) in the
// description of the language. An agent is compiled once and may run in many places, so a place is
// relative to the one around it. Emission writes it into Go, and package runtime applies it to the
// place that is passed down, as [Place.Within] does.
type Place struct {
	Kind PlaceKind
	// State is the name of the place in events and errors. Keys are the keys that are routed there,
	// each once, in the order in which a model sees them. Both are empty for the free and the outer
	// place, and a place in a workflow has no State.
	State string
	Keys  []string
}

// PlaceKind is the kind of a place. The legal keys at a free, an open and a closed place do not
// depend on the place around it.
type PlaceKind uint8

const (
	// PlaceFree means that nothing reads the key.
	PlaceFree PlaceKind = iota
	// PlaceOuter passes the key on to the machine or flow around it, whose legal keys are legal
	// here.
	PlaceOuter
	// PlaceOpen routes the keys, and accepts every other text.
	PlaceOpen
	// PlaceOr routes the keys, and passes any other key on to the machine or flow around it. It is
	// open if that is open or free.
	PlaceOr
	// PlaceClosed accepts exactly the keys.
	PlaceClosed
)

// Place returns the legal keys in a state in which an agent runs. The first of these rules applies:
//
// 1. An unconditional state that leads to a marker is outer, because its agent's key is the
// machine's. Any other unconditional state is free.
// 2. Rows without "*" are closed.
// 3. Rows whose "*" ends the machine (it leads to a marker or to ~) are or. Rows with any other "*"
// are open.
// 4. A terminal is outer.
//
// Guards are taken as possible: a key is legal if it has a row, whether or not the guards of its
// rows hold. Of several "*" with guards, one that ends the machine is enough for rule 3, because
// any key may then be the machine's.
//
// Rule 5, that an entry point is free, concerns the place that the machine receives.
func (s *State) Place() Place {
	switch {
	case s.Always != nil && s.Always.State.IsMarker():
		return Place{Kind: PlaceOuter}
	case s.Always != nil:
		return Place{}
	case s.IsTerminal():
		return Place{Kind: PlaceOuter}
	}

	place := Place{Kind: PlaceClosed, Keys: s.Keys()}
	for _, row := range s.Rows {
		switch {
		case !row.IsCatchAll():
		case row.EndsMachine():
			place.Kind = PlaceOr
		case place.Kind != PlaceOr:
			place.Kind = PlaceOpen
		}
	}

	return place
}

// Within returns the legal keys at a place inside of a machine or a flow that runs at outer, which
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

// PassesKeyOn reports whether a key can become the key of the machine or flow around the place.
func (p Place) PassesKeyOn() bool { return p.Kind == PlaceOuter || p.Kind == PlaceOr }

// Keys returns the keys of a state's rows in source order, each once, without the catch-all.
func (s *State) Keys() []string {
	keyed := Where(s.Rows, func(row *Row) bool { return !row.IsCatchAll() })

	return Unique(Map(keyed, func(row *Row) string { return row.Key.Value }))
}

// EndsMachine reports whether taking the row ends the machine, so that the row's key is the
// machine's. A row to a terminal with an agent does not: there the agent's key is the machine's.
func (r *Row) EndsMachine() bool { return r.End || r.To.State.IsMarker() }

// FoldKey returns key trimmed and in lower case, as it is compared with rows when no row is exactly
// equal.
func FoldKey(key string) string { return strings.ToLower(strings.TrimSpace(key)) }

const (
	// DoneKey is the key of an agent without a choice (oneshot and most patterns), and ResultKey
	// its older name. Where a oneshot runs, the front end rewrites rows with the older name.
	DoneKey   = "done"
	ResultKey = "result"
	// ExhaustedKey is the key of a reflexion or a plan-execute that reached its limit, if that key
	// has a row.
	ExhaustedKey = "exhausted"
)

// FinishKeys returns with which keys a flow finishes. done reports whether it can be the key done.
// own are the runs whose key is the flow's, except for keys that the flow itself routes. The key
// can also be [ExhaustedKey] if that has a row.
func (f *Flow) FinishKeys() (done bool, own []*Run) {
	runs := map[*Output]*Run{}
	WalkTasks(f.Body, func(t *Task) {
		switch do := t.Do.(type) {
		case *Run:
			runs[t.Output] = do
		case *Return:
			of := OutputOf(t.InputExpression())
			if do.Key != KeyOwn {
				done = done || do.Key != KeyUnfinished
			} else if of != nil && runs[of] != nil {
				own = append(own, runs[of])
			}
		}
	})

	return done, own
}

// HasLimitKey reports whether the flow has a limit with a key of its own.
func (f *Flow) HasLimitKey() bool {
	return slices.ContainsFunc(OpsOf[*Return](f.Body.Ops()), func(r *Return) bool { return r.Key == KeyExhausted || r.Key == KeyUnfinished })
}
