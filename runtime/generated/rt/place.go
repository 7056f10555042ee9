package rt

import (
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"slices"
)

// Place is the set of keys with which an agent may finish where it is called: the legal keys that
// the compiler computed, passed on by the generated calls so that one Go function serves all
// callers of an agent. The zero value means that no code reads the key: an entry point, or an
// unconditional state.
type Place struct {
	// info is nil for the free place. A pointer, since a place is passed on with every call.
	info *placeInfo
}

// placeInfo is what is known of a place that routes. It is never changed.
type placeInfo struct {
	kind    placeKind
	machine string
	state   string
	// keys are the enum of a closed place, the known keys of an open one; nil where the key is
	// free.
	keys []string
}

type placeKind uint8

const (
	placeFree placeKind = iota
	placeOpen
	placeClosed
)

// Closed returns the place in the named state that has transitions for exactly these keys.
func Closed(machine, state string, keys ...string) Place {
	return Place{&placeInfo{kind: placeClosed, machine: machine, state: state, keys: keys}}
}

// Open returns the place in the named state that has a transition for every text; keys are the
// known ones.
func Open(machine, state string, keys ...string) Place {
	return Place{&placeInfo{kind: placeOpen, machine: machine, state: state, keys: keys}}
}

// placeOf is the place that a run is given; the zero Place without one.
func placeOf(at []Place) Place {
	if len(at) == 0 {
		return Place{}
	}

	return at[0]
}

// Or returns the place of a state whose catch-all ends the machine: the keys of p, which is closed,
// and all that are legal at the place that the run of the machine is given. It is open if that is
// open or free.
func (p Place) Or(at ...Place) Place {
	around, or := placeOf(at).placeInfoOf(), p.placeInfoOf()
	or.kind = max(around.kind, placeOpen)
	for _, key := range around.keys {
		if !slices.Contains(or.keys, key) {
			or.keys = append(or.keys[:len(or.keys):len(or.keys)], key)
		}
	}

	return Place{&or}
}

// placeInfoOf is what is known of the place, of the free one too.
func (p Place) placeInfoOf() placeInfo {
	if p.info == nil {
		return placeInfo{}
	}

	return *p.info
}

// Routes reports whether key, folded, is one of the known keys of the place; a free place has none.
func (p Place) Routes(key string) bool {
	return p.info != nil && containsFolded(p.info.keys, key)
}

func containsFolded(keys []string, key string) bool {
	if slices.Contains(keys, key) {
		return true
	}

	folded := wording.Fold(key)
	for _, k := range keys {
		if wording.Fold(k) == folded {
			return true
		}
	}

	return false
}

// withDeclaredKeys is the place p for an agent with declared keys. They are the enum wherever the
// agent is: the compiler has checked that each of them is in every closed place.
func (p Place) withDeclaredKeys(declared []string) placeInfo {
	at := p.placeInfoOf()
	if declared != nil {
		at.kind, at.keys = placeClosed, declared
	}

	return at
}

// acceptsKey reports whether key routes. Folded keys do: routing folds them once, with the same
// rule.
func (p *placeInfo) acceptsKey(key string) bool {
	return p.kind != placeClosed || containsFolded(p.keys, key)
}

// isImplicit reports whether plain text may be a finish with key done: elsewhere it would lose the
// decision.
func (p *placeInfo) isImplicit() bool {
	return p.kind == placeFree || p.kind == placeClosed && len(p.keys) == 1 && wording.Fold(p.keys[0]) == implicitKey
}

// implicitKey is the key of a oneshot agent, and of plain text where it may end a loop.
const implicitKey = "done"
