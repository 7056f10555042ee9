// Package fix applies the fixes that are certain.
//
// Input: what [gen.Compile] takes. Output: what each file becomes, which diagnostics that fixed,
// and what is left. Nothing is written; gen/internal/output does that.
//
// Promises: of each diagnostic the first fix is applied, whole or not at all. Fixes that get in
// each other's way are applied one after the other, the later ones only if they are still offered
// when the project has been compiled again. This goes on until no fix is left. A fix is kept only
// if it holds: its diagnostic is gone, and no new error is at its place. One that does not hold is
// a suggestion for a person, as the hint of its diagnostic says. Bytes outside of the edits stay as
// they are: byte order marks, line ends, a last line without one.
package fix
