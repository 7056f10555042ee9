// Package diff compares two versions of a program for the reviewer of a change.
//
// Input: two [ir.Program] without mistakes, and journals of runs of the older one. Output: a
// [Report] with what has changed, by agent; a picture of the machines, flows and workflows that
// have; the bounds of what runs use, before and after; and for each place where a run can pause,
// and for each run that has not ended, whether it can be resumed with the newer program.
//
// The promise: of a run that [Resumes], the engine says neither that the program has another shape
// nor that it does something else than what was recorded (a ShapeError, a [core.DivergenceError]).
// It is proved from three facts:
//
//   - [emit.ShapeHash] covers what a run does, but for limits, words and signals. Where two programs have the same one, they can only
//     differ in these;
//   - words are compared by an engine only while [emit.TextHash] is the same;
//   - a limit that a run has not reached has decided nothing yet. Whether it has is counted in its journal where that is possible; else
//     the verdict is [Depends].
//
// [core.DivergenceError]:
// https://pkg.go.dev/github.com/agentc-dev/agentc/runtime/engine#DivergenceError
package diff
