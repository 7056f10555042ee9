package compiled

import "github.com/agentc-dev/agentc/runtime/model"

// Role is a configured role.
type Role struct {
	Role string
	Name string // provider:model
	// Fallback are the models, provider:model, that are asked in this order when the one before has failed for good.
	Fallback    []string
	Temperature *float64
	MaxTokens   *int
	BaseURL     string
	Stream      model.Streaming
}

// Provider is a configured provider of models.
type Provider struct {
	Name    string
	BaseURL string
	Stream  model.Streaming
}

// Script is a compiled-in script.
type Script struct {
	// Path is the FILE of script:FILE.
	Path string
	// JSON is the script; package simulate has its grammar.
	JSON string
}

// Recording is a compiled-in recording of models' replies.
type Recording struct {
	// Path is the FILE of replay:FILE.
	Path string
	// Text is the recording; package recording has its format.
	Text string
}
