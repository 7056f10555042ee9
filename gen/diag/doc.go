// Package diag is the one message model of the compiler: what was found, where, and how to fix it.
//
// Every stage adds [Diagnostic] values to a [List]; the renderers ([Text], [JSON], [SARIF], [GitHub]) turn the sorted list
// into what a person, an editor or a CI system reads. A mistake of a user is a diagnostic, never an error value: errors are
// kept for faults of agentc and for input and output.
//
// [Checks] is the catalogue: the name, the usual severity and a line about each finding. A name is a promise to users
// (ignore comments and CI configurations contain it), so names are only added.
package diag
