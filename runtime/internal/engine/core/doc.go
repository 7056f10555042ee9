// Package core is the engine: it decides what effects of a run do (their addresses, results of
// earlier processes, budgets, memory, signals, events) and carries them out, here or on a [Host]
// that may be another process, such as a workflow of Temporal. Users get it as package engine.
//
// [New] makes an [Engine] from a [Config]. [Engine.Run] runs an agent of a program, [Engine.RunOn]
// does so on a host; [Engine.Effects] is for direct calls of generated functions.
//
// The path of an effect is in execute.go: lookUp finds what is recorded, replayResult returns a
// recorded result, resolveUnknown decides about an effect that was interrupted, and writeIntent and
// writeOutcome record one that execute carries out. Each kind of effect has a file. A turn of a model
// (turn.go) calls models in callmodel.go.
//
// The state of a run is in packages below this one, whose types own it, with a mutex if branches
// share it. [Effects] has a position (package addr), a scope of budgets (package budget) and a
// branch of the replay (package replay). A run has a history (replay), a list of open questions
// (package question), a receiver of signals (package signaling) and an eventLog. None of them calls
// Effects.
package core
