// Package signals defines signals, which reach a state machine from outside and besides its keys, and the rules for
// them. A [Signal] is, for example, a message of the user or a request to stop.
//
// A [Rule] defers a signal, fires a key, or stops the run. Rules are defined in the machine's file, or added by Go
// code for one agent or for all machines, with drive.Routes; the tiers are searched in the order of [Tier], and the first
// with a matching rule decides.
package signals
