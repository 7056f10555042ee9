package engine

import "github.com/agentc-dev/agentc/runtime/internal/core"

// Errors before a run begins.
type (
	// ConflictError means that several things are to answer instead of models.
	ConflictError = core.ConflictError
	// MissingModelError means that neither the configuration nor the environment defines a model for a role.
	MissingModelError = core.MissingModelError
	// MissingProviderError means that the program does not include a provider of models.
	MissingProviderError = core.MissingProviderError
	// MissingPriceError means that a budget limits money, and the price of a model is not known.
	MissingPriceError = core.MissingPriceError
	// MissingEnvError means that variables that agents declare in env are not set.
	MissingEnvError = core.MissingEnvError
)

// Errors with which a run ends, besides those of package runtime.
type (
	// LongWaitError means that a provider asks to wait longer than Retry.Longest before the call of a model is
	// repeated.
	LongWaitError = core.LongWaitError
	// SizeError means that the answer of a model, a tool or a function is larger than the engine can keep.
	SizeError = core.SizeError
	// DivergenceError means that a run cannot be replayed: the program requests another effect than the recorded one.
	DivergenceError = core.DivergenceError
	// UnknownOutcomeError means that an effect was interrupted, that it is not known whether it happened, and that it
	// must not be repeated.
	UnknownOutcomeError = core.UnknownOutcomeError
)

// Errors of operations on a run that has begun.
type (
	// ShapeError means that the run belongs to a program of another shape: its states, transitions or schemas have
	// changed.
	ShapeError = core.ShapeError
	// WrongProgramError means that the run belongs to another program, or to an agent that the program does not have.
	WrongProgramError = core.WrongProgramError
	// QuarantinedError means that the run was resumed too often without progress.
	QuarantinedError = core.QuarantinedError
	// RunEndedError means that the operation is not possible because the run has ended.
	RunEndedError = core.RunEndedError
	// UnknownQuestionError means that the question to answer is not open.
	UnknownQuestionError = core.UnknownQuestionError
	// AnswerError means that an answer is not valid; the question stays open.
	AnswerError = core.AnswerError
	// AnsweredError means that the question has already been answered.
	AnsweredError = core.AnsweredError
	// UnknownAddressError means that the run has no effect at the address that the operation could apply to.
	UnknownAddressError = core.UnknownAddressError
)
