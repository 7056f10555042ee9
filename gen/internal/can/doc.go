// Package can finds what runs of a program can do, and which text from outside can reach which
// action.
//
// Input: an [ir.Program] without mistakes, and the facts of package [flow]. [FindEntries] returns
// for each entry point what is reachable, and after which people, guards and skills. [FindFlows]
// returns the shortest path by which a model that has read untrusted text calls a tool, or by which
// untrusted text becomes an argument of a step.
//
// # Facts
//
// A fact is "this value may contain untrusted text". Each fact is derived from one other fact, so a
// path through the program can be found for each of them separately: through states, patterns,
// branches, loops, groups and the agents inside of them. Each block is analyzed once for each fact
// that is true at its beginning and that it touches. All other facts pass by together. A model that
// has read untrusted text does whatever it can: it calls each tool that its skills and its gate
// permit, in any order, stores the text in the memory of the run, and finishes with it. The key of
// a finish is not known, so all rows that [flow] finds possible are followed. max_steps and the
// limits of loops count.
//
// Package [interp] defines the order of steps and their composition. The domains of a workflow
// (workTexts), of a pattern (patternTexts) and of a machine with agents (machineTexts) define the
// effect of a single step on facts, what a block passes on, and the script for a choice. A call is
// also a fact, which is noted, so that it counts however the run ends. In a pattern the number of a
// turn is a fact for the first 64 turns of a loop. The key of a finish is part of the facts after
// it, if it is known. A path with the key of a signal has no script.
//
// An imported workflow begins with a context: the context that it inherits, and its input if that
// is put there, each member of an object as a field. What it copies back from its context or its
// output is added to the facts, because a field that it has not written leaves the other one as it
// is. A failed step keeps what it has stored: its retry, its fallback and a row on failure may read
// that. The error of a branch is in the result of its group. The errors of all branches are in the
// error of a group if all of them fail.
//
// # What stops untrusted text
//
// - a value that fits a closed schema: booleans, numbers, enumerations, and objects and lists of
// these;
// - a person who is asked before a call (confirm: true);
// - a person who is asked by a step or an agent, for the values that the question shows. Other
// values are followed;
// - a gate that permits no call in any state after the text.
//
// A guard stops nothing, because its result is not known. Nor does a skill, which any model may
// read.
//
// # Assumptions
//
// Sources of the project are trusted: prompts, skills and their files, schemas, and the Go of its
// methods, including the texts of their errors. So are answers of people, the store of runs, and
// the values of variables. The choice of a key or of a value of an enumeration is not followed.
// Guards and people have to stop a model that is persuaded to take a row of its machine.
package can
