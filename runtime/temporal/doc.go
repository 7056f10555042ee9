// Package temporal runs compiled programs on Temporal: the same generated machines, unchanged, where one process is not enough.
// Every agent of a program is a workflow type NAME@SHAPE, its models, tools, functions and guards are activities, questions are
// answered by an update, waits are timers, branches are coroutines, and budgets live in the workflow's state. A project whose
// config has
//
//	include: [temporal]
//
// has APP worker and APP start in its binary. Nothing else links it: it is a module of its own.
//
// The decisions of a run are those of the engine, which runs inside the workflow on a [core.Host]; so scripts, addresses,
// budgets, memory and events are the same, and the conformance suite of engines holds here too. README.md has the mapping, a
// set-up in three commands, and what 10,000 runs cost.
package temporal
