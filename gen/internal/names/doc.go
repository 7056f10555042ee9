// Package names defines the Go identifiers and the file names of generated code. No other package
// makes any.
//
// Input: names, keys and other texts of the ir. Output: identifiers. A name depends only on its own
// text and on the name of its agent. So it never changes when something else is added, and it never
// gets a number to make it unique. Two texts with the same identifier are a [Collision], which the
// checks report.
//
// [Exported] converts the words of a text. The other functions combine such parts, so that the code
// that emits a name and the code that reads it back cannot disagree. [Of] lists every identifier of
// an output package with its text.
package names
