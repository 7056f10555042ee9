// Package trace makes of a journal what a person wants to know of a run: the path that it took, as a tree of agents, states,
// effects and decisions, what it cost, which processes worked on it, and where it is.
//
// Input: the records of package journal. Output: a [Trace]. Nothing is executed and nothing is checked: a journal of another
// program, of an older runtime or without its end is read as far as it goes, and records of kinds that are not known are passed
// over. All texts are as they were recorded: the caller who prints them takes care of control characters.
package trace
