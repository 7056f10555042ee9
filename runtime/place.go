package runtime

// Place says which keys an agent may finish with where it stands: the legal keys that the compiler computed, passed down
// the generated calls so that one Go function serves all places of an agent.
type Place struct {
	kind    placeKind
	machine string
	state   string
	keys    []string
}

type placeKind uint8

const (
	placeFree placeKind = iota
	placeOpen
	placeClosed
)

// Free is the place whose key nobody reads: an entry point, an unconditional state.
var Free = Place{}

// Closed is the place in the named state whose rows are exactly keys.
func Closed(machine, state string, keys ...string) Place {
	return Place{kind: placeClosed, machine: machine, state: state, keys: keys}
}

// Open is the place in the named state that routes every text; keys are the ones it knows.
func Open(machine, state string, keys ...string) Place {
	return Place{kind: placeOpen, machine: machine, state: state, keys: keys}
}

// Or is the place in the named state whose catch-all ends the machine: its row keys, and whatever is legal at p, where the
// machine itself stands. It is open if p is open or free.
func (p Place) Or(machine, state string, keys ...string) Place {
	or := Place{kind: p.kind, machine: machine, state: state, keys: keys}
	if p.kind == placeFree {
		or.kind = placeOpen
	}
	for _, key := range p.keys {
		if !contains(or.keys, key) {
			or.keys = append(or.keys[:len(or.keys):len(or.keys)], key)
		}
	}

	return or
}

func contains(keys []string, key string) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}

	return false
}
