// Package builtin has the tables of what the language has itself: one descriptor for each provider of models. Front ends, analysis,
// emission and schemas read them here, so that a new entry is written once.
//
// It takes nothing and gives values that do not change; it imports no other package of the compiler.
package builtin
