// Package diff compares two versions of a program for the reviewer of a change.
//
// Input: two [ir.Program] without mistakes, and journals of runs of the older one. Output: a
// [Report] with the changes, by agent; a picture of the changed machines, flows and workflows; the
// bounds of what runs use, before and after; and for each place where a run can pause, and for each
// unfinished run, whether it can be resumed with the newer program.
//
// The promise: if the verdict is [Resumes], the engine returns neither a ShapeError nor a
// [core.DivergenceError] for the run. It follows from three facts:
//
//   - [emit.ShapeHash] covers what a run does, except limits, texts and signals. Programs with the
//     same shape can differ only in these;
//   - an engine compares texts only while [emit.TextHash] is the same;
//   - a limit that a run has not reached has had no influence yet. If possible, this is counted in
//     the journal; otherwise the verdict is [Depends].
//
// [core.DivergenceError]:
// https://pkg.go.dev/github.com/agentc-dev/agentc/runtime/engine#DivergenceError
package diff
