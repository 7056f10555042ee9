// Package builtin has one descriptor for everything that the language has itself: the comparisons and methods of expressions, the
// filters of templates, the builtin steps of workflows, the built-in tools, providers and signals. Front ends, analysis and
// emission read them here, so that a new entry is written once.
//
// It takes nothing and gives values that do not change. Where the compiler computes what a program will compute, a descriptor
// has the function of package runtime/generated/workflow that the generated code calls: there is no
// second implementation.
package builtin
