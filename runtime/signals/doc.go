// Package signals has what reaches a machine beside its keys: a [Signal], such as a message of the user or a request to stop, and the
// rules that say what becomes of it.
//
// A [Rule] puts a signal off, fires a key, or stops the run. Rules are in the machine's file, or Go code adds them, for one [Agent] or for
// all machines of a [Host]; the tiers are asked in the order of [Tier], and the first with a rule that fits decides.
package signals
