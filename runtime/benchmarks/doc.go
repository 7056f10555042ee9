// Command benchmarks measures what agentc promises about speed and prints one table of ratios: what the generated code and
// the compiler take, beside what a person would have written or a library would have done with the same data in the same
// run. README.md tells how to read the table; `make bench` at the root of the repository runs it.
//
// It is a module of its own so that the state machine libraries that it compares with are no requirement of agentc.
package main
