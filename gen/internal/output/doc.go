// Package output writes generated files, or shows what would change. No other package writes into a
// project.
//
// Input: the files of the compiler, and the existing output folder. [Compare] finds the differences
// and refuses the whole run, before anything is written, if a file in the way is not ours. Output:
// a [Plan], which is applied to a [Sink]: [WriteSink], [DiffSink], [PrintSink] or [FindingsSink]. So generate,
// --check and --stdout share one path. [Create] writes new files of the user, and [Rewrite] writes
// source files that fixes have changed.
//
// Promises: a file is written only if its bytes change, through a temporary file that is renamed,
// so that it has either the old or the new content even after a crash. A file is removed only if it
// is directly in the output folder, ends in _gen.go or _gen_test.go and has our header, or is a
// temporary file of a process that has ended. A source file is rewritten only if it has not changed
// since it was read, and is neither a symbolic link nor read-only. Symbolic links never lead out of
// the project folder.
package output
