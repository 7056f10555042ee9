// Package rehearsal plays the runs of a workflow without a model, a person or the functions of the user.
//
// Input: an [ir.Workflow] without errors. Output: some of its runs, each with what a script has to answer for, the key with which
// it finishes and the rows that it takes; and which states and rows any run comes to.
//
// Steps are done as runs do them, with the values of package workflow, which generated code works with: templates are rendered,
// guards are evaluated, contexts are written and merged. Where something is asked, all answers are tried that may make a
// difference: of each model, person and function a small value that fits its schema, others with what expressions compare such a
// value with, and a failure. Of answers that nothing which decides about the run can tell from each other one is tried. What a
// run is given is not known: wherever it decides both ways are gone, and such a run is doubtful. Runs with fewer answers come
// first, a point that was seen is not looked at again, and there is a bound on how many are.
//
// The promises: a run that is returned and is not doubtful is one that generated code makes when it is given the same answers,
// whatever its input; a row that is taken by no run here may be taken by one whose answers were not tried, and the result does
// not claim otherwise.
package rehearsal
