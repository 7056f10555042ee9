package model

import "context"

// Provider calls a model.
type Provider interface {
	// Chat answers one turn. The request's Model is resolved: Name is provider:model, and its Settings have their
	// final values. A failure is an *Error.
	Chat(ctx context.Context, request Request) (Reply, error)
}

// ProviderFunc is a function as a Provider.
type ProviderFunc func(ctx context.Context, request Request) (Reply, error)

// Chat calls f.
func (f ProviderFunc) Chat(ctx context.Context, request Request) (Reply, error) {
	return f(ctx, request)
}

// Streamer is a Provider that can report a reply while it is being written.
type Streamer interface {
	Provider
	// Stream is Chat that also calls delta with each piece of the reply's text, from one goroutine and never after it
	// has returned. The reply that it returns is complete. The engine calls it only if there is an observer.
	Stream(ctx context.Context, request Request, delta func(text string)) (Reply, error)
}

// Opener prepares a resolved model before a run starts; it reports a missing key as *CredentialError. env looks up
// environment variables. The result is used by several goroutines at a time.
type Opener func(m Model, env func(name string) (value string, ok bool)) (Provider, error)
