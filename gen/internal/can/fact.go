package can

import (
	"cmp"
	"maps"
	"slices"
)

// fact is something that may hold untrusted text: a value, or a field of it. Those of steps and of
// the context are split by their first field where a schema or the workflow names these.
type fact struct {
	slot slot
	// name and field are the first two names behind the slot, and depth is how many names there
	// are. One of more than two is only read, and never known to hold untrusted text.
	name, field string
	depth       int
}

// slot is the kind of a value.
type slot string

// The values. reached is none, but says that a run gets here.
var (
	reached = fact{slot: ""}
	// given is what something is given, and value what it gives; failure is the text of its error.
	given   = fact{slot: "given"}
	value   = fact{slot: "value"}
	failure = fact{slot: "failure"}
	// memory is that of the run, and world what tools keep elsewhere.
	memory = fact{slot: "memory"}
	world  = fact{slot: "world"}

	// Those of a workflow: previous is the output of the step before, argument what the step that
	// is done is given, and item that of a list that is gone through. around is a value
	// outside of a block that nothing inside of it reads.
	previous = fact{slot: "previous"}
	argument = fact{slot: "argument"}
	item     = fact{slot: "item"}
	context  = fact{slot: "context"}
	outputs  = fact{slot: "steps"}
	around   = fact{slot: "around"}
)

// called is the slot of calls that are made: the name is who calls, the field is the tool.
const called slot = "called"

// member is a field of a value.
func (f fact) member(name string) fact {
	switch f.depth {
	case 0:
		f.name = name
	case 1:
		f.field = name
	}
	f.depth++

	return f
}

// withKey is the fact of runs that have finished with a key, and key is what is known of that key.
func (f fact) withKey(k key) fact { return fact{slot: f.slot, name: string(k), depth: 1} }

func (f fact) key() key { return key(f.name) }

// isOf reports whether a fact is about a value, or a field of it.
func (f fact) isOf(whole fact) bool {
	if f.slot != whole.slot || f.depth < whole.depth {
		return false
	}
	isNamed := whole.depth < 1 || f.name == whole.name

	return isNamed && (whole.depth < 2 || f.field == whole.field)
}

// touches reports whether a text in which a value is read may hold what the fact is about.
func (f fact) touches(read fact) bool { return f.isOf(read) || read.isOf(f) }

// isSameOutput reports whether a fact about the output of the step before and one about that of a
// step by name are about the same field, if it is the same step.
func (f fact) isSameOutput(other fact) bool {
	name, isOutput := f.inOutput()
	otherName, isOtherOutput := other.inOutput()

	return isOutput && isOtherOutput && name == otherName
}

// inOutput returns what of the output of a step a fact is about.
func (f fact) inOutput() (within fact, isOutput bool) {
	switch {
	case f.slot == previous.slot:
		return fact{name: f.name, depth: f.depth}, true
	case f.slot == outputs.slot && f.depth > 0:
		return fact{name: f.field, depth: f.depth - 1}, true
	}

	return fact{}, false
}

func compareFacts(a, b fact) int {
	return cmp.Or(
		cmp.Compare(a.slot, b.slot), cmp.Compare(a.name, b.name), cmp.Compare(a.field, b.field),
		cmp.Compare(a.depth, b.depth),
	)
}

// facts are those that can be true, each with the best path to there.
type facts map[fact]*trace

// sorted returns the facts in a fixed order.
func (f facts) sorted() []fact { return slices.SortedFunc(maps.Keys(f), compareFacts) }

// add adds a fact, unless a path to it is known that is as good. A nil trace is none.
func (f facts) add(name fact, t *trace) {
	if t.isBetterThan(f[name]) {
		f[name] = t
	}
}

func (f facts) addAll(other facts) {
	for name, t := range other {
		f.add(name, t)
	}
}

// with adds a step to each path.
func (f facts) with(s Step) facts {
	out := facts{}
	for name, t := range f {
		out[name] = t.then(s)
	}

	return out
}

// without returns the facts that are about none of some values.
func (f facts) without(values ...fact) facts {
	out := facts{}
	for name, t := range f {
		if !slices.ContainsFunc(values, name.isOf) {
			out[name] = t
		}
	}

	return out
}

// withKey returns the facts of runs whose key is another one.
func (f facts) withKey(k key) facts {
	out := facts{}
	for name, t := range f {
		out.add(name.withKey(k), t)
	}

	return out
}

// withoutKeys returns the facts of runs whatever their keys are.
func (f facts) withoutKeys() facts {
	out := facts{}
	for name, t := range f {
		out.add(fact{slot: name.slot}, t)
	}

	return out
}

// best is the best path to one of the facts that what is read may hold; nil if it can hold no
// untrusted text.
func (f facts) best(read []fact) *trace {
	var best *trace
	var of fact
	for name, t := range f {
		if !slices.ContainsFunc(read, name.touches) {
			continue
		}
		isFirst := !best.isBetterThan(t) && compareFacts(name, of) < 0 // of paths that are as good
		if t.isBetterThan(best) || isFirst {
			best, of = t, name
		}
	}

	return best
}

// stored are the facts about what tools keep, whether what has stored it ends well or not. reason
// says why no script can make a run go on behind it.
func (f facts) stored(reason string) facts {
	kept := facts{}
	for _, name := range []fact{memory, world} {
		if t := f[name]; t != nil {
			kept.add(name, t.then(Step{Do: "finish", open: reason}))
		}
	}

	return kept
}
