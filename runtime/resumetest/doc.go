// Package resumetest interrupts a run everywhere. It runs a program to its end with a journal; then, for each record of that
// journal, it makes a copy that ends there, as if the process had died, resumes it, and compares:
//
//	counts, err := resumetest.Case{Program: app.New(nil).Program(), Input: "…", Options: options}.Check(ctx)
//
// A run that is resumed has to come to the result of the one that nobody interrupted; each effect has one result, which no later
// process asks for again; what the observer is told is told once; and whoever resumes it a second time does nothing. An effect
// that must not happen twice, of which nobody knows whether it has happened, is asked about, and the answer is to do it again.
package resumetest
