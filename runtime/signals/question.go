package signals

// Question is asked by a running machine at a safe point: has a signal arrived for which there is a rule, and what
// does it do? It is asked through Guard of [runtime.Effects], so that a journal of guards' verdicts includes the
// answer.
type Question struct {
	// Rules are the rules of the machine's file.
	Rules []Rule
	// Deferred is a deferred signal to decide about now; nil: the next one that has arrived.
	Deferred *Signal
}

// Ruling is the decision about a signal that a run received.
type Ruling struct {
	Signal Signal
	Answer Answer
	// Key is the key to fire, for Fire.
	Key string
	// Tier is where the rule is defined: "machine", "agent" or "host"; see the package comment.
	Tier string
}
