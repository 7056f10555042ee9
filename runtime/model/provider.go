package model

import "context"

// Provider answers for a model.
type Provider interface {
	// Chat answers one turn. The request's Model is resolved: Name is provider:model, and Temperature and MaxTokens hold what
	// counts. A failure is a *Error.
	Chat(ctx context.Context, request Request) (Reply, error)
}

// ProviderFunc is a function as a Provider.
type ProviderFunc func(ctx context.Context, request Request) (Reply, error)

// Chat calls f.
func (f ProviderFunc) Chat(ctx context.Context, request Request) (Reply, error) {
	return f(ctx, request)
}

// Streamer is a Provider that can tell what a model writes while it writes.
type Streamer interface {
	Provider
	// Stream is Chat that calls delta with each piece of the reply's text, from one goroutine and not after it has returned. The
	// reply that it returns is whole. The engine asks it only where there is an observer.
	Stream(ctx context.Context, request Request, delta func(text string)) (Reply, error)
}

// Opener makes a resolved model ready before a run starts; here a provider reports a key that is missing. env looks variables up, as
// Config.Env does. The result is used by many goroutines.
type Opener func(m Model, env func(name string) (value string, ok bool)) (Provider, error)
