// Package gen is the compiler as a function: a project folder in, diagnostics and Go files out.
//
// [Compile] is the only place that knows the order of the stages: load, check, and, when no finding is an error, emit and
// read back. Nothing is written here; the files are in memory.
package gen
