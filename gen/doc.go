// Package gen is the compiler as a function: it reads a project folder and returns diagnostics and
// the generated Go files. The command agentc and tests call it; other programs can too.
//
// [Compile] defines the order of the stages: load, check and, if no diagnostic is an error, emit
// and verify. It writes nothing; the files are in memory.
package gen
