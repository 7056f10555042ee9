// Package builtin has one descriptor for each built-in part of the language: the comparisons and
// methods of expressions, the filters of templates, the builtin steps of workflows, the built-in
// tools, providers and signals. Front ends, analysis and emission read them here, so that a new
// entry is written once.
//
// Its values never change. A descriptor holds the function of package runtime/generated/workflow
// that the generated code calls, so that the compiler computes with the same implementation.
package builtin
