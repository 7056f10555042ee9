// Package vet has analyzers for go vet that report mistakes in your Go code about the Go code that
// agentc generated, such as a switch that omits a state. The program that go vet calls is
// cmd/agentc-vet.
//
// [Analyzers] returns the analyzers. Each receives one type-checked package at a time, with the
// facts of the packages that it imports, and reports diagnostics, with a suggested fix if it is
// certain. Facts identify generated types: the analysis of the generated package exports them, so
// that a type is recognized wherever it is used, and not by its name. Only certain problems are
// reported: none in generated files, and none about a value whose machine is unknown.
package vet
