package model

import "time"

// Choice is the model that an agent asks for; the engine resolves it.
type Choice struct {
	// Role is looked up in the configuration; if it is not configured, the role default is used.
	Role string
	// Name is provider:model and takes precedence over Role.
	Name string
	// Settings are what the source sets.
	Settings
}

// Request is one turn of a language model.
type Request struct {
	// Agent is the agent that asks: an agent, or agent/step.
	Agent string
	// Turn is 0 for the first request of a run of this agent; repairs count.
	Turn int
	// Input is the whole input of the agent; a model sees it only if it is part of Messages.
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

// Tool describes a tool to a model.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the arguments.
	Schema string
}
