// Package core is the engine: it decides what effects of a run do (their addresses, results of
// earlier processes, budgets, memory, signals, events) and carries them out, here or on a [Host]
// that may be another process, such as a workflow of Temporal. Users get it as package engine.
//
// [New] makes an [Engine] from a [Config]. [Engine.Run] runs an agent of a program, [Engine.RunOn]
// does so on a host; [Engine.Effects] is for direct calls of generated functions.
package core
