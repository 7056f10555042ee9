// Package verify reads emitted Go back and compares the tables in it with the program that it was
// emitted from.
//
// Input: the program and the files. Output: nil, or the first difference, as a [*MismatchError]; a
// file that does not parse is an [*emit.BrokenError]. Either is a fault of agentc, found before a
// file reaches the disk.
//
// Compared are, of each machine, state by state and key by key: the constants of states and keys,
// each case of Next with its guards, whole or in pieces, the keys that CanonicalKey finds, Keys,
// Terminal, the names of the states, the initial state, the agent of each state and the keys that
// it may finish with. Of a machine of a workflow: its states, its start, the steps of each state,
// and its rows, event by event. Of a flow: the keys that its steps may finish with.
//
// What statements do is not compared: the tests of gen run generated code and compare what it does.
package verify
