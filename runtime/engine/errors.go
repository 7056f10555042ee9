package engine

import "github.com/agentc-dev/agentc/runtime/internal/core"

// The errors that programs match to go on differently. Each error has a code as well, which [runtime.ErrorType]
// returns; the page of package runtime lists all of them, and what to do about each.
type (
	// AnswerError means that an answer is not valid; the question stays open.
	AnswerError = core.AnswerError
)
