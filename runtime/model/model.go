package model

// Model is the model that an agent uses, after its choice, the environment and the configuration are taken into
// account.
type Model struct {
	// Role is the role that was requested. It is "" for an agent that names its model, and for a fallback at another
	// provider than the role's model, which must not receive that model's key and address.
	Role string
	// Name is provider:model; Provider and ID are its parts.
	Name, Provider, ID string
	Settings
	// BaseURL is empty if it is not set.
	BaseURL string
	// Plain reports whether replies are requested in one piece, even if there is an observer.
	Plain bool
	// EndsWithoutReason reports whether the server gives no reason when a reply ends: a complete
	// reply without one is accepted. Without it such a reply has failed, because it may have been
	// interrupted.
	EndsWithoutReason bool
	// MaxReply limits the size of a reply, in bytes as sent; 0: the provider's own limit.
	MaxReply int64
	// Fallback are the models to call, in this order, after the one before has failed permanently. They have no
	// fallbacks themselves.
	Fallback []Model
}

// Choice returns the model as the choice of a request.
func (m *Model) Choice(role string) *Choice {
	return &Choice{Role: role, Name: m.Name, Settings: m.Settings}
}
