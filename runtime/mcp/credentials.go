package mcp

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/agentc-dev/agentc/runtime/internal/bearer"
)

// Credentials say who has which token.
type Credentials = bearer.Credentials

// CredentialError is a mistake in a list of credentials.
type CredentialError = bearer.CredentialError

// OpenDoorError is a server that would be reachable from other machines without a credential. It does not start.
type OpenDoorError = bearer.OpenDoorError

// ParseCredentials reads words of the form NAME=TOKEN, separated by spaces or line breaks; what follows # at the beginning of a
// line is for people. where names the text in mistakes, which never show a token. Errors: *CredentialError.
func ParseCredentials(where, text string) (Credentials, error) { return bearer.Parse(where, text) }

// verifier finds out whose token it is. The SDK holds a session to the user that began it.
func verifier(known Credentials) auth.TokenVerifier {
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		name, ok := known.Holder(token)
		if !ok {
			return nil, auth.ErrInvalidToken
		}

		return &auth.TokenInfo{UserID: name}, nil
	}
}
