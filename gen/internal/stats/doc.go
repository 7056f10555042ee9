// Package stats counts the parts of a program, and bounds the model calls of a run.
//
// Input: an [ir.Program] without mistakes. Output: for each entry point the numbers of its agents,
// states, rows and cycles, and the most model calls that its limits allow. [FormatText] formats them for
// a person.
//
// Package cost computes the bound: no run makes more calls. Numbers are capped at [cost.Unbounded];
// there is always a bound.
package stats
