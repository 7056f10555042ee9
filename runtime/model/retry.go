package model

import "time"

// Retry limits how often, and for how long, a failed call of a model that may succeed later is repeated.
type Retry struct {
	// Attempts is how often a call is tried at most, including the first time; 0: 5.
	Attempts int
	// First is the wait before the second attempt, which then doubles up to Most; 0: half a second and 30 seconds. If
	// the provider asks for a longer wait, that applies.
	First, Most time.Duration
	// Longest is the longest wait that a provider may ask for; 0: 5 minutes. A call for which it asks for more has
	// failed: a server must not hold a run for a day.
	Longest time.Duration
}
