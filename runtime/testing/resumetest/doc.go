// Package resumetest tests whether a program can be resumed wherever it is interrupted. It runs the program to its
// end with a journal; then, for each record of that journal, it makes a copy that ends there, as if the process had
// died, resumes it, and compares:
//
//	counts, err := resumetest.Case{Program: app.New(nil).Program(), Input: "…", Options: options}.Check(ctx)
//
// A resumed run must have the result of the uninterrupted one; each effect has one result, and no later process
// requests it again; the observer receives each event once; and resuming the run a second time does nothing. If it is
// not known whether an effect that must not happen twice has happened, the run asks, and the test answers to do it
// again.
package resumetest
