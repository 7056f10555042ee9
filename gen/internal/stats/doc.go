// Package stats counts what a program is made of, and bounds what a run of it can cost.
//
// Input: an [ir.Program] without mistakes. Output: for each entry point its agents, states, rows
// and cycles, and the most calls of models that its limits allow. [Text] writes it for a person; as
// JSON it is what it is.
//
// The bound is that of package cost: no run makes more calls. Numbers end at [cost.Unbounded]; a
// bound is never given up.
package stats
