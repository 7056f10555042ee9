// Package hops says where a machine of a workflow can go from each of its states.
//
// Input: an [ir.Machine]. Output: a [Machine], which is that machine as a graph: for each state the rows that a run can
// take there, the states that they and next_state lead to, and whether the machine can stall there.
//
// What a run does is: rows in source order, those from "*" in their place, and the first that has the event and whose guard
// holds is taken; then next_state; then the machine fails. Guards are taken as possible both ways, so
// that behind a row without a guard none for the same event is ever taken, and before it each may be. An end state leads
// nowhere: its body never runs.
package hops
