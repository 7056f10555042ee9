package model

// Model is a model as an agent gets it, after its choice, the environment and the configuration have had their say.
type Model struct {
	// Role is the role that was asked for; "" for an agent that names its model, and for a fallback at another provider than the role's
	// model, which must not get what is that one's: its key, its address.
	Role string
	// Name is provider:model; Provider and ID are its parts.
	Name, Provider, ID string
	// Temperature and MaxTokens are nil where they are not set.
	Temperature *float64
	MaxTokens   *int
	// BaseURL is empty where it is not set.
	BaseURL string
	// Plain says that replies are asked for in one piece, whether anyone watches or not.
	Plain bool
	// MaxReply bounds a reply, in bytes as they are sent; 0: the provider's own bound.
	MaxReply int64
	// Fallback are the models that are asked in this order when the one before has failed for good. They have none themselves.
	Fallback []Model
}

// Choice is a model as requests for a role name it.
func (m *Model) Choice(role string) *Choice {
	return &Choice{Role: role, Name: m.Name, Temperature: m.Temperature, MaxTokens: m.MaxTokens}
}
