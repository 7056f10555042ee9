// Package builtin has the tables of what the language has itself: one descriptor for each provider of models, each filter and each
// signal. Front ends, analysis and emission read them here, so that a new entry is written once.
//
// It takes nothing and gives values that do not change; it imports no other package of the compiler.
package builtin
