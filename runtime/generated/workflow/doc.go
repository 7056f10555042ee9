// Package workflow is called by the generated code of workflows (StateMachine YAML), in addition to
// package rt. It has the values that steps pass on, the expressions, templates and builtin
// functions of the language, and the execution of steps and state machines. Its error types are for
// all Go code.
//
// # Values
//
// A [Value] is an immutable JSON value. None, the zero Value, is null and anything that does not
// exist. Numbers that an int64 holds are exact, others are float64s, and 1, 1.0 and 1e0 are the
// same number. Objects keep the order of their members. Goroutines may share values, which never
// change: [Value.Set] and [Value.Merge] return new ones, which share unchanged parts with the old.
//
// # Expressions
//
//   - [Value.Get] of a member that does not exist is none, and so is any member of none.
//   - [Value.True]: none, false, 0 and empty values do not hold.
//   - [Value.Equal] compares a text as a number if the other side is a number and the text reads as
//     one; two texts are texts, and a boolean equals a boolean only. Inside of lists and objects a
//     text is a text.
//   - [Value.Less] and [Value.LessEqual] hold between two numbers, or two texts, and between nothing
//     else.
//   - [Value.Contains] looks for text in a text, an item in a list, a name in an object, and holds
//     for nothing else.
//   - [Value.Lower] and the other methods of texts return none, or do not hold, for any other value.
//   - [Value.Equals], [Value.LessThan], [Value.Includes] and the like, and the methods of [Maybe],
//     compare values that may be missing. Their [Truth] is unknown then; [Truth.Allows],
//     [Truth.Decide] and [Truth.LoopLimit] decide what follows.
//
// # Templates
//
// [Value.String] renders: none as nothing, text as it is, booleans as True and False, whole numbers
// without a fraction, other numbers as short as possible, lists and objects as compact JSON.
// Rendered text is data, even if it contains braces. [Value.Or] is `or` and the filter default;
// [Value.UpperText], [Value.LowerText], [Value.Length], [Value.JSONText] and [Value.Join] are the
// other filters.
//
// # Builtins
//
// Methods that workflows call by name, such as [Value.ToCSV] and [Value.Aggregate], take values and
// return one, without other effects. Invalid arguments are an ArgumentError. Those that write the
// context, such as [Value.ContextSet], return the changed context with their result.
//
// # Runs
//
// A [Run] keeps the state of a run of a workflow: its effects, its context, and its position.
// [Run.Try] and [Run.TryElse] execute a step according to its [Policy], a [Machine] remembers the
// state of a state machine, and [Fork] runs branches, each with a copy of the run. The generated
// code decides everything else. The README of this package describes its errors.
package workflow
