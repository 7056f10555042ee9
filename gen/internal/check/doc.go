// Package check proves properties of a program before any of it runs.
//
// Input: an [ir.Program] as a front end left it, and the list of the front end's diagnostics.
// Output: more diagnostics in the same list. [Run] calls each [Pass] in order. A pass has its own
// file, which is named after what it finds, and knows neither YAML nor Go. Then Run applies the
// ignore comments of the sources.
//
// Promises: every diagnostic has an exact span. None is the consequence of another, so the passes
// take an undefined name for its nearest defined name, and for anything if there is none.
// Diagnostics are in source order. The work is linear in the program, up to a logarithm and the
// number of diagnostics, and does not recurse: ten thousand states or nested machines are not too
// many.
package check
