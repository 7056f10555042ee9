// Package output puts generated files on disk, or shows what would change. It is the only package
// that writes into a project.
//
// Input: the files that the compiler made, and the output folder as it is. [Compare] finds out what
// differs and refuses the whole run, before anything is written, if something there is not ours.
// Output: the [Plan], which is applied to one [Sink]: [Write], [Diff], [Print] or [Diagnostics]. So
// generate, --check and --stdout share one path. [Create] writes new files of the user, and
// [Rewrite] gives source files the contents that fixes make of them.
//
// Promises: a file is written only if its bytes change, through a temporary file that is renamed,
// so that each file is the old or the new one whatever fails; a file is removed only if it is in
// the output folder itself, ends in _gen.go or _gen_test.go and carries our header, or is such a
// temporary file of a process that is gone; a source file is rewritten only if it is the one that
// was read, no symbolic link and not read-only; and nothing outside of the project folder is
// touched, whatever symbolic links say.
package output
