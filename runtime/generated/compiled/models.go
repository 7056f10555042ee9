package compiled

import "github.com/agentc-dev/agentc/runtime/model"

// Role is a role in the configuration, for which it names models.
type Role struct {
	Role string
	Name string // provider:model
	// Fallback are the models, provider:model, to call in this order after the one before has failed permanently.
	Fallback []string
	model.Settings
	BaseURL string
	// Stream requests replies in parts, if there is an observer; nil leaves it to the provider, which does.
	Stream *bool
}

// Provider is a provider of models in the configuration.
type Provider struct {
	Name    string
	BaseURL string
	// Stream is for its models what that of a role is for one.
	Stream *bool
	// EndsWithoutReason reports whether its replies end without a reason; see model.Model.
	EndsWithoutReason bool
}
