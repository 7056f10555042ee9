package core

import "time"

// SetPoll says how often an engine looks for messages to its runs.
func SetPoll(e *Engine, poll time.Duration) { e.poll = poll }
