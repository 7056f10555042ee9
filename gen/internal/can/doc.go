// Package can says what runs of a program can do, and which text from outside can reach which deed.
//
// Input: an [ir.Program] without mistakes, and what [flow] says of it. Output: of [Of], for each
// entry point what is reachable and behind which people, guards and skills; of [Flows], the
// shortest path by which a model that has read untrusted text calls a tool, or by which such text
// becomes an argument of a step.
//
// # What is followed
//
// A fact is "this value may hold untrusted text". Each is derived from one other fact, so that a
// path through the program can be found for each of them on its own: through states, patterns,
// branches, loops, groups and the agents inside of them, each of which is looked at once for each
// fact that is true where it begins and that it touches: all others pass by together. A model that
// has read untrusted text does whatever it can: it calls each tool that its skills and its gate
// allow, in any order, stores the text in the memory of the run, and finishes with it. With which
// key it, or any other model, finishes is not known, so that all rows that [flow] knows to be
// possible are followed; max_steps and the limits of loops count.
//
// The order in which steps happen, and how they compose, is known to [interp] alone: what is said
// here of a workflow (workTexts), of a pattern (patternTexts) and of a machine in whose states
// agents run (machineTexts) is what a single step does to facts, what a block hands on, and what a
// script has to say for a choice. A call that is made is a fact, too, which is noted on the way, so
// that it counts however the run ends. In a pattern the number of a turn is one, for the first 64
// turns of a loop. The key with which something finishes is part of the facts behind it, as far as
// it is known. A path that takes the key of a signal has no script.
//
// An imported workflow is followed with the context that it begins with: what it inherits, and its
// input where that is put there, each member of an object as a field. What it copies back, from its
// context or its output, is added to what is there, because a field that it has not written leaves
// the other one as it is. A step that fails has stored what it has stored: its next try, its
// fallback and a row on failure may read that. The error of a branch is in the result of its group,
// and those of all branches are in the error of a group of which none ends well.
//
// # What stops it
//
//   - a value that fits a closed schema: booleans, numbers, enumerations, and objects and lists of these;
//   - a person who is asked before a call (confirm: true);
//   - a person who is asked by a step or an agent, for the values that the question shows. What it does not show is followed on;
//   - a gate in which no call is possible in any state that is reached behind the text.
//
// A guard stops nothing, because nothing is known of what it looks at, and neither does a skill,
// which any model may read.
//
// # What the proof assumes
//
// Sources of the project are trusted: prompts, skills and their files, schemas, and the Go of its
// methods, the texts of whose errors count as the project's own. So are answers of people, the
// store of runs, and the values of variables. Which key or which value of an enumeration a model
// chooses is not followed: that a model is talked into a row of its machine is what guards and
// people are for.
package can
