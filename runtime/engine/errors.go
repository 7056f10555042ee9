package engine

import "github.com/agentc-dev/agentc/runtime/internal/core"

// The errors that programs match to go on differently. Each error has a code as well, which [runtime.ErrorType]
// returns; the page of package runtime lists all of them, and what to do about each.
type (
	// ConflictError means that several things are to answer instead of models.
	ConflictError = core.ConflictError
	// MissingModelError means that neither the configuration nor the environment defines a model for a role.
	MissingModelError = core.MissingModelError
	// MissingPriceError means that a budget limits money, and the price of a model is not known.
	MissingPriceError = core.MissingPriceError
	// AnswerError means that an answer is not valid; the question stays open.
	AnswerError = core.AnswerError
)
