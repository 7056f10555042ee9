// Package fix applies the fixes that are certain.
//
// Input: the input of [gen.Compile]. Output: the new contents of files, the fixed diagnostics, and
// the remaining ones. Nothing is written; gen/internal/output does that.
//
// Promises: the first fix of each diagnostic is applied, as a whole or not at all. Conflicting
// fixes are applied one after the other, the later ones only if the compilation after the first
// still offers them. This is repeated until no fix is left. A fix is kept only if it holds: its
// diagnostic has disappeared, and there is no new error at its place. A fix that does not hold is a
// suggestion for a person, as the hint of its diagnostic says. Bytes outside of the edits stay the
// same: byte order marks, line ends, a missing last newline.
package fix
