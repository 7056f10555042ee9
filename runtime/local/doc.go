// Package local runs programs in this process. Without Config.Store nothing is written down, and a run that ends is gone; with it each
// run has a journal, from which [Engine.Resume] goes on after a crash, a pause or a failure.
//
// [New] makes an [Engine] from a [Config]. [Engine.Run] runs an agent of a program; [Engine.Effects] gives the door alone, for
// direct calls of generated functions. Models are resolved from what agents say, the environment and the configuration (see README.md)
// before anything runs, so that a missing provider or variable costs nothing. Memory tools work and live as long as the run; the other
// built-in tools are those that the program has turned on, and parts of it may bring more (see [ToolSource]).
//
// With Config.Script, or a model script:FILE, a script answers instead of models; package simulate has its grammar.
package local
