package model

// Reply is what a model answered.
type Reply struct {
	Text  string
	Calls []ToolCall
	Usage Usage
	// StopReason is why the turn ended, such as [ReasonStop].
	StopReason string
	// Model is provider:model as it answered.
	Model string
	// Cost is what the turn has cost, in millionths of a US dollar, if the provider says so or the engine knows the price; else 0.
	Cost int64
	// Carry is what the provider wants back, unread, with the message of this reply: signatures, thoughts. Only the provider that wrote
	// it reads it; "" for nothing.
	Carry string
}

// Usage counts tokens.
type Usage struct {
	Input, Output int
	// Cached and Stored are parts of Input: tokens that came from the provider's cache of prompts, and tokens that it was given to keep
	// there, which have prices of their own.
	Cached, Stored int
}
