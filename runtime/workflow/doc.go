// Package workflow is what generated code of workflows (StateMachine YAML) links against beside package runtime: the values
// that steps hand on, what expressions and templates do with them, the functions that the language has itself, and how tasks
// and machines run.
//
// # Values
//
// A [Value] is an immutable JSON value. None is null and whatever is not there: the zero Value. Numbers that an int64 holds are
// exact, others are float64s, and 1, 1.0 and 1e0 are the same number. Objects keep the order of their members.
// Values may be shared by goroutines and are never changed: [Value.Set] and [Value.Merge] return new ones, which share what
// is equal with the old.
//
// # Expressions
//
//   - [Value.Get] of what is not there is none, and so is what is reached from none.
//   - [Value.True]: none, false, 0 and what is empty do not hold.
//   - [Equal] compares a text as a number if the other side is a number and the text reads as one; two texts are texts, and a
//     boolean equals a boolean only. Inside of lists and objects a text is a text.
//   - [Less] and [LessEqual] hold between two numbers, or two texts, and between nothing else.
//   - [Contains] looks for text in a text, an item in a list, a name in an object, and holds for nothing else.
//   - [Value.Lower] and the other methods of texts give none, or do not hold, for whatever is no text.
//
// # Templates
//
// [Value.String] renders: none as nothing, text as it is, booleans as True and False, whole numbers without a fraction, other
// numbers as short as possible, lists and objects as compact JSON. What was rendered is data, whatever braces stand in it.
// [First] is `or`; [Upper], [Lower], [Length], [JSONText], [Join] and [Default] are the filters.
//
// # Builtins
//
// Functions that workflows use by name, such as [ToCSV] and [Aggregate], take values and give one, and touch nothing else.
// Arguments that do not fit are an [*ArgumentError]. Those that write the context, such as [ContextSet], give the changed
// context beside their result.
//
// # Runs
//
// A [Run] is what a run of a workflow keeps: its door, its context, and where it stands. [Run.Try] and [Run.TryElse] try a
// step as its [Policy] says, a [Machine] remembers how a state machine goes on, [Fork] runs branches with a copy of the run
// each. The generated code decides everything else. See README.md of the package for its errors.
package workflow
