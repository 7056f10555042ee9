// Package signals defines signals, which reach a state machine from outside and besides its keys, and the rules for
// them. A [Signal] is, for example, a message of the user or a request to stop.
//
// A [Rule] defers a signal, fires a key, or stops the run. Rules are of three tiers: the tier
// "machine" has `signals` of the machine's file, Go code adds rules for one agent ("agent") or for
// all machines ("host"), with drive.Routes. The tiers are searched in this order, and the first
// with a matching rule decides.
package signals
