// Package runtime has the types that generated agents share with the Go code around them: the result of a run
// ([Finish]), the input and the answers of tools, guards and functions, the errors with which a run can end, and
// [Effects], the interface through which a running agent does everything outside its own memory. A program that uses
// generated agents imports this package and one that executes them, usually package engine.
//
// A method of a tool or a function receives a context and typed input; [IdempotencyKey] reads from the context a
// key that is the same for each attempt of the call, and [CallFromContext] which call it is. A guard receives a [GuardInput] and returns [Yes] or [No]. A run that waits for a person ends with
// a [*PausedError]. Find it and the other error types with errors.As; [ErrorType] returns the code that events,
// journals and HTTP use for an error.
//
// Package engine executes a program in this process, with or without journals; package simulate replaces models and
// tools by a script in tests; package event defines what observers receive; package model is for providers of models.
// Package rt is called by generated code only.
//
// Generated code is deterministic: it calls models and tools, reads the clock and starts goroutines through [Effects]
// alone. This package and all others of its module need only the standard library.
package runtime
