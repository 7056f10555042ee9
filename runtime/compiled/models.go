package compiled

import "github.com/agentc-dev/agentc/runtime/model"

// Role is a role in the configuration, for which it names models.
type Role struct {
	Role string
	Name string // provider:model
	// Fallback are the models, provider:model, to call in this order after the one before has failed permanently.
	Fallback    []string
	Temperature *float64
	MaxTokens   *int
	BaseURL     string
	Stream      model.Streaming
}

// Provider is a provider of models in the configuration.
type Provider struct {
	Name    string
	BaseURL string
	Stream  model.Streaming
}

// Script is a script that is compiled into the program.
type Script struct {
	// Path is the FILE of script:FILE.
	Path string
	// JSON is the script; package simulate has its grammar.
	JSON string
}

// Recording is a recording of models' replies that is compiled into the program.
type Recording struct {
	// Path is the FILE of replay:FILE.
	Path string
	// Text is the recording; package recording has its format.
	Text string
}
