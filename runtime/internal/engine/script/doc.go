// Package script reads scripts and plays them: answers instead of a model, a tool, a person or a
// guard.
//
// A [Script] is what was read and is shared; a [Player] is one run of it. The grammar is written
// down where users find it, in package simulate. A player is deterministic under any order in which
// branches run: every branch has its own place in each list, and calls that a turn makes in
// parallel take their answers by the order of the calls.
package script
