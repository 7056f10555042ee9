package mcp

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// How long clients may take. One that hangs holds a connection and no more; after these times not even that.
const (
	headerTime  = 10 * time.Second
	requestTime = time.Minute
	idleTime    = 2 * time.Minute
	sessionTime = 30 * time.Minute
	// closingTime is how long calls that are under way have when the server ends.
	closingTime = 5 * time.Second
)

// Handler returns the handler for streamable HTTP. lookup returns what the caller may do who has a bearer token, if the
// token is valid, and every request needs one; if it is nil, only programs of the same machine can make requests, and no
// pages of a browser.
func (s *Server) Handler(lookup access.Lookup) http.Handler {
	server := func(*http.Request) *sdk.Server { return s.sdk }
	withSessions := s.sessions.boundHandler(sdk.NewStreamableHTTPHandler(server, &sdk.StreamableHTTPOptions{
		MaxRequestBodyBytes: longestMessage, SessionTimeout: sessionTime,
	}))
	without := sdk.NewStreamableHTTPHandler(server, &sdk.StreamableHTTPOptions{MaxRequestBodyBytes: longestMessage, Stateless: true})
	var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= inputRequired { // from this version on there are no sessions
			without.ServeHTTP(w, r)
			return
		}
		withSessions.ServeHTTP(w, r)
	})
	if lookup != nil {
		h = auth.RequireBearerToken(newVerifier(lookup), &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(h)
	}

	return http.NewCrossOriginProtection().Handler(h)
}

// serveHTTP serves until ctx is done, and then lets calls that are under way end.
func (s *Server) serveHTTP(ctx context.Context, l net.Listener, lookup access.Lookup) error {
	server := &http.Server{
		Handler: s.Handler(lookup), ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, IdleTimeout: idleTime,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closingTime)
	defer cancel()
	if err := server.Shutdown(closing); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}

	return server.Close()
}

// callerKey is where the information about a token has its holder.
const callerKey = "caller"

// newVerifier returns what finds the owner of a token. The SDK binds a session to the user that
// began it.
func newVerifier(lookup access.Lookup) auth.TokenVerifier {
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		who, err := access.Holder(lookup, token)
		if err != nil {
			return nil, auth.ErrInvalidToken
		}

		return &auth.TokenInfo{UserID: who.Name(), Extra: map[string]any{callerKey: who}}, nil
	}
}
