// Package runtime is what Go code around generated agents uses: the [Finish] of a run, the [Effects] by which it touches the world, what
// tools, guards and functions are given and answer, and the errors that a run can end with.
//
// A method of a tool or a function gets a context, from which [CallFromContext] reads which call it answers, and typed input. A guard gets
// a [GuardInput] and answers [Yes] or [No]. A run that waits for a person ends with a [*PausedError]; other errors are found by errors.As
// too, and [ErrorType] is the code by which events, journals and HTTP call them.
//
// Package engine runs a program in this process, with or without journals; package simulate answers from a script, in tests; package event
// has what observers receive; package model is for providers of models. What only generated code calls is in package rt.
//
// Generated code and its loops are pure: they touch the world through [Effects] alone, and hold no clock, randomness, goroutine,
// environment or network of their own. The package and everything in its module needs the standard library only.
package runtime
