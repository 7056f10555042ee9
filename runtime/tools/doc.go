// Package tools runs the built-in tools that reach the world: files, http and the shell. What a model may reach is what the
// project has turned on, and by default that is nothing: each [Kind] is a package of its own, so that a binary carries only
// those that its project names. Memory is no tool of this package: it belongs to the engine, which records each write.
//
// A tool tells the model what went wrong, as the problem of its result. An error ends the run: the run is cancelled, or the tool
// is off and no model can mend that.
package tools
