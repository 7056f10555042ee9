package can

import (
	"cmp"
	"maps"
	"slices"
)

// fact is a value, or a field of it, that may contain untrusted text. Outputs of steps and the
// context are split by their first field if a schema or the workflow names the fields.
type fact struct {
	slot slot
	// name and field are the first two names after the slot, and depth is the number of names. A
	// fact of more than two is only read, and never known to contain untrusted text.
	name, field string
	depth       int
}

// slot is the kind of a value.
type slot string

// The values. reachedFact is not a value: it means that a run reaches the point.
var (
	reachedFact = fact{slot: ""}
	// givenFact is the input, valueFact the output, and failureFact the text of the error.
	givenFact   = fact{slot: "given"}
	valueFact   = fact{slot: "value"}
	failureFact = fact{slot: "failure"}
	// memoryFact is the memory of the run, and worldFact what tools store elsewhere.
	memoryFact = fact{slot: "memory"}
	worldFact  = fact{slot: "world"}

	// The values of a workflow: previousFact is the output of the previous step, argumentFact the
	// input of the current step, and itemFact the item of a loop over a list. outsideFact is a
	// value outside of a block that nothing inside of it reads.
	previousFact = fact{slot: "previous"}
	argumentFact = fact{slot: "argument"}
	itemFact     = fact{slot: "item"}
	contextFact  = fact{slot: "context"}
	outputsFact  = fact{slot: "steps"}
	outsideFact  = fact{slot: "around"}
)

// called is the slot of calls. The name is the caller, and the field the tool.
const called slot = "called"

// fieldFact returns the fact about a field of a value.
func (f fact) fieldFact(name string) fact {
	switch f.depth {
	case 0:
		f.name = name
	case 1:
		f.field = name
	}
	f.depth++

	return f
}

// withKey returns the fact of runs that have finished with a key. Its key method returns what is
// known of that key.
func (f fact) withKey(k key) fact { return fact{slot: f.slot, name: string(k), depth: 1} }

func (f fact) knownKey() key { return key(f.name) }

// isPartOf reports whether a fact is about a value, or a field of it.
func (f fact) isPartOf(whole fact) bool {
	if f.slot != whole.slot || f.depth < whole.depth {
		return false
	}
	isNamed := whole.depth < 1 || f.name == whole.name

	return isNamed && (whole.depth < 2 || f.field == whole.field)
}

// overlaps reports whether a read value may contain the value of the fact.
func (f fact) overlaps(read fact) bool { return f.isPartOf(read) || read.isPartOf(f) }

// isSameOutput reports whether a fact about the previous output and one about the output of a step
// by name are about the same field, if it is the same step.
func (f fact) isSameOutput(other fact) bool {
	name, isOutput := f.inOutput()
	otherName, isOtherOutput := other.inOutput()

	return isOutput && isOtherOutput && name == otherName
}

// inOutput returns the part of a step's output that a fact is about.
func (f fact) inOutput() (within fact, isOutput bool) {
	switch {
	case f.slot == previousFact.slot:
		return fact{name: f.name, depth: f.depth}, true
	case f.slot == outputsFact.slot && f.depth > 0:
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

// facts are the possible facts, each with its best path.
type facts map[fact]*trace

// sortedFacts returns the facts in a fixed order.
func (f facts) sortedFacts() []fact { return slices.SortedFunc(maps.Keys(f), compareFacts) }

// addFact adds a fact, unless there is a path that is as good. A nil trace adds nothing.
func (f facts) addFact(name fact, t *trace) {
	if t.isBetterThan(f[name]) {
		f[name] = t
	}
}

func (f facts) addFacts(other facts) {
	for name, t := range other {
		f.addFact(name, t)
	}
}

// withStep adds a step to each path.
func (f facts) withStep(s Step) facts {
	out := facts{}
	for name, t := range f {
		out[name] = t.withStep(s)
	}

	return out
}

// withoutValues returns the facts that are about none of some values.
func (f facts) withoutValues(values ...fact) facts {
	out := facts{}
	for name, t := range f {
		if !slices.ContainsFunc(values, name.isPartOf) {
			out[name] = t
		}
	}

	return out
}

// withKey returns the facts of runs with another key.
func (f facts) withKey(k key) facts {
	out := facts{}
	for name, t := range f {
		out.addFact(name.withKey(k), t)
	}

	return out
}

// withoutKeys returns the facts of runs with any key.
func (f facts) withoutKeys() facts {
	out := facts{}
	for name, t := range f {
		out.addFact(fact{slot: name.slot}, t)
	}

	return out
}

// bestPath returns the best path to a fact that overlaps a read value; nil if it can contain no
// untrusted text.
func (f facts) bestPath(read []fact) *trace {
	var best *trace
	var of fact
	for name, t := range f {
		if !slices.ContainsFunc(read, name.overlaps) {
			continue
		}
		isFirst := !best.isBetterThan(t) && compareFacts(name, of) < 0 // the first of paths that are as good
		if t.isBetterThan(best) || isFirst {
			best, of = t, name
		}
	}

	return best
}

// storedFacts returns the facts about what tools store, however the operation ends. reason is why
// no script can make a run continue after it.
func (f facts) storedFacts(reason string) facts {
	kept := facts{}
	for _, name := range []fact{memoryFact, worldFact} {
		if t := f[name]; t != nil {
			kept.addFact(name, t.withStep(Step{Do: "finish", openReason: reason}))
		}
	}

	return kept
}
