package model

import "time"

// Choice says which model an agent wants; the engine resolves it.
type Choice struct {
	// Role is looked up in the configuration, then default.
	Role string
	// Name is provider:model and wins over Role.
	Name string
	// Temperature and MaxTokens (tokens) are nil when the source gives none.
	Temperature *float64
	MaxTokens   *int
}

// Request is one turn of a language model.
type Request struct {
	// Agent is who asks: an agent, or agent/step.
	Agent string
	// Turn is 0 for the first request of a run of this agent; repairs count.
	Turn int
	// Input is what the agent was given, whole; a model sees it only where it is part of Messages.
	Input    string
	Model    *Choice
	System   string
	Messages []Message
	Tools    []Tool
	// Schema is the JSON Schema of the answer; "" for any text.
	Schema string
	// Timeout bounds the call; 0: no bound. A call that takes longer is a *TimeoutError.
	Timeout time.Duration
}

// Tool is a tool as a model is offered it.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the arguments.
	Schema string
}
