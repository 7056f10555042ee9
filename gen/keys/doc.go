// Package keys says which keys an agent may finish with where it stands: legal(place) of the language's description.
//
// Input: states of machines, and runs of flows. Output: for each a [Rule], which says how the keys that are legal in it
// follow from its rows, or from the keys that the flow routes itself, and from the place of the machine or the flow around
// it. Those are compiled once and may stand in many places, so a rule is what emission writes into their Go, and package
// runtime applies it to the place that is passed down:
//
//	Free     runtime.Free
//	Outer    the machine's own place, passed on
//	Closed   runtime.Closed(machine, state, keys...)
//	Open     runtime.Open(machine, state, keys...)
//	Or       the machine's own place, with .Or(machine, state, keys...)
//
// The checks apply the same rule with [Rule.At], so that what is proved at compile time is what happens at run time.
//
// [OfProgram] follows the keys through a whole program: with which ones each agent can finish, in which places it stands
// on all ways from the entry points, and what is legal there. It does not recurse and copies no list of keys from one level
// of nesting to the next, so that neither many agents nor deep nesting are too much for it.
package keys
