// Package diag defines the diagnostics of the compiler: what is wrong in the sources, where, and
// how to fix it.
//
// Every stage adds [Diagnostic] values to a [List]; [Text], [JSON], [SARIF] and [GitHub] write the
// sorted list for a person, an editor or a CI system. A mistake of the user is a diagnostic, never
// an error value: errors are for bugs of agentc and for input and output.
//
// [Checks] is the catalogue: the name, the usual severity and a summary of each kind of diagnostic.
// Users write the names in ignore comments and CI configurations, so names are only added.
package diag
