// Package local runs programs in memory, in this process: nothing is written down, and a run that ends is gone.
//
// [New] makes an [Engine] from a [Config]. [Engine.Run] runs an agent of a program; [Engine.Effects] gives the door alone, for
// direct calls of generated functions. Models are resolved from what agents say, the environment and the configuration (see README.md)
// before anything runs, so that a missing provider or variable costs nothing. Memory tools work and live as long as the run;
// the other built-in tools answer runtime.ErrNotAvailable.
//
// With Config.Script, or a model script:FILE, a script answers instead of models; package simulate has its grammar.
package local
