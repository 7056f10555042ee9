package mcp

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/agentc-dev/agentc/runtime/internal/bearer"
)

// verifier finds out whose token it is. The SDK holds a session to the user that began it.
func verifier(known bearer.Credentials) auth.TokenVerifier {
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		name, ok := known.Holder(token)
		if !ok {
			return nil, auth.ErrInvalidToken
		}

		return &auth.TokenInfo{UserID: name}, nil
	}
}
