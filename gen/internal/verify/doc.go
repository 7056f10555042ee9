// Package verify parses emitted Go and compares its tables with the program that it was emitted
// from.
//
// Input: the program and the files. Output: nil, or the first difference as a [*MismatchError]. A
// file that does not parse is an [*emit.BrokenError]. Both are bugs of agentc, found before a file
// is written.
//
// Of each machine it compares, state by state and key by key: the constants of states and keys,
// each case of Next with its guards, in one piece or several, the keys that CanonicalKey finds,
// Keys, Terminal, the names of the states, the initial state, the agent of each state and the keys
// that it may finish with. Of a machine of a workflow it compares its states, its start, the steps
// of each state, and its rows, event by event. Of a flow it compares the keys that its steps may
// finish with.
//
// It does not compare other statements: the tests of gen run generated code.
package verify
