package model

// Reply is the reply of a model.
type Reply struct {
	Text  string
	Calls []ToolCall
	Usage Usage
	// StopReason is why the turn ended, such as [ReasonStop]. A turn with a reason of no constant
	// has failed.
	StopReason string
	// Model is provider:model as the provider reports it.
	Model string
	// Cost is the cost of the turn, in millionths of a US dollar, if the provider reports it or the engine knows the
	// price; else 0.
	Cost int64
	// Carry is data that the provider wants to receive back with the message of this reply, such as signatures or
	// reasoning. Only the provider that wrote it reads it; "" for nothing.
	Carry string
}

// Usage counts tokens.
type Usage struct {
	Input, Output int
	// Cached and Stored are parts of Input: tokens read from the provider's prompt cache, and tokens written to it,
	// which have prices of their own.
	Cached, Stored int
	// Estimated reports whether at least one of the numbers is an estimate of the engine, because
	// the provider reported none: a token for each [BytesPerToken] bytes of text.
	Estimated bool
}

// BytesPerToken is the fewest bytes of text that a token has. Where tokens are not counted, this is how
// they are bounded: what `agentc cost` computes, and what the engine estimates, is never too low.
const BytesPerToken = 1
