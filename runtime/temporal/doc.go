// Package temporal runs compiled programs on Temporal, for runs that need more than one process: the generated code
// does not change. Every agent of a program is a workflow type NAME@SHAPE. Its models, tools, functions and guards
// are activities; questions are answered by an update, waits are timers, branches are coroutines, and budgets are
// part of the workflow's state. A project includes it by a line in its config,
//
//	include: [temporal]
//
// and its binary has the commands worker, start and reply. The package is a module of its own; other binaries do not
// contain it.
//
// The engine runs inside the workflow, on a [core.Host]: so scripts, addresses, budgets, memory and events are the
// same as in one process, and the package passes the conformance suite of engines. The README of this package
// describes the mapping, a set-up in three commands, and what 10,000 runs cost.
package temporal
