// Package check proves what can be proved about a program before anything of it runs.
//
// Input: an [ir.Program] as a front end left it, and the list with what the front end found. Output: more diagnostics in the
// same list. [Run] calls one [Pass] after the other; each is a value in a file of its own that is named after what it
// finds, and knows neither YAML nor Go. Then the ignore comments of the sources are applied.
//
// Promises: every diagnostic is at the exact place; none is the consequence of another, so the passes assume that a name
// without a meaning means its nearest neighbour where there is one, and anything where there is none; the order of the
// diagnostics is the order of the sources; the work grows no faster than the program, up to a logarithm and the number of
// diagnostics, and does not recurse, so that neither ten thousand states nor ten thousand nested machines are too many.
package check
