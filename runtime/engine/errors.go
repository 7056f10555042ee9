package engine

import "github.com/agentc-dev/agentc/runtime/internal/core"

// Errors before a run begins.
type (
	// ConflictError is an engine in which several things are to answer instead of models.
	ConflictError = core.ConflictError
	// MissingModelError is a role that neither the configuration nor the environment gives a model.
	MissingModelError = core.MissingModelError
	// MissingProviderError is a provider of models that the program does not have.
	MissingProviderError = core.MissingProviderError
	// MissingPriceError is a model whose price is not known, under a budget of money.
	MissingPriceError = core.MissingPriceError
	// MissingEnvError are variables that agents declare in env and that are not set.
	MissingEnvError = core.MissingEnvError
)

// Errors with which a run ends, beside those of package runtime.
type (
	// LongWaitError is a call of a model for which the provider asks for a longer wait than Retry.Longest.
	LongWaitError = core.LongWaitError
	// SizeError is what a model, a tool or a function gave back that is larger than the engine can keep.
	SizeError = core.SizeError
	// DivergenceError is a run that cannot be replayed: the program asks for another effect than the one that was recorded.
	DivergenceError = core.DivergenceError
	// UnknownOutcomeError is an effect that must not be repeated, and of which it is not known whether it has happened.
	UnknownOutcomeError = core.UnknownOutcomeError
)

// Errors of what is done about a run that has begun.
type (
	// ShapeError is a run of a program of another shape.
	ShapeError = core.ShapeError
	// WrongProgramError is a run of another program, or of an agent that the program does not have.
	WrongProgramError = core.WrongProgramError
	// QuarantinedError is a run that was resumed too often without progress.
	QuarantinedError = core.QuarantinedError
	// RunEndedError is something that was asked of a run that has ended.
	RunEndedError = core.RunEndedError
	// UnknownQuestionError is an answer to a question that is not open.
	UnknownQuestionError = core.UnknownQuestionError
	// AnswerError is an answer that does not fit; the question stays open.
	AnswerError = core.AnswerError
	// AnsweredError is a second answer to a question.
	AnsweredError = core.AnsweredError
	// UnknownAddressError is an address at which a run has no effect that could be taken for what was asked.
	UnknownAddressError = core.UnknownAddressError
)
