package mcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
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

// OpenDoorError is a server that would be reachable from other machines without a credential. It does not start.
type OpenDoorError struct {
	Address string
}

func (e *OpenDoorError) Error() string {
	return fmt.Sprintf("%s can be reached from other machines: name who may call with --tokens, or in %s, or listen on 127.0.0.1",
		e.Address, tokensVariable)
}

// listen opens the address, which without credentials has to be this machine's own. Errors: *OpenDoorError.
func listen(address string, known Credentials) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if at, isTCP := l.Addr().(*net.TCPAddr); len(known) == 0 && (!isTCP || !at.IP.IsLoopback()) {
		return nil, errors.Join(&OpenDoorError{Address: address}, l.Close())
	}

	return l, nil
}

// Handler serves streamable HTTP. With credentials every request needs the bearer token of one; without, only this machine's own
// programs reach it, and no page of a browser.
func (s *Server) Handler(known Credentials) http.Handler {
	var h http.Handler = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		MaxRequestBodyBytes: longestMessage,
		SessionTimeout:      sessionTime,
	})
	if len(known) > 0 {
		h = auth.RequireBearerToken(known.verify, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(h)
	}

	return http.NewCrossOriginProtection().Handler(h)
}

// verify implements auth.TokenVerifier. The SDK holds a session to the user that began it.
func (l Credentials) verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	name, ok := l.holder(token)
	if !ok {
		return nil, auth.ErrInvalidToken
	}

	return &auth.TokenInfo{UserID: name}, nil
}

// serveHTTP serves until ctx is done, and then lets calls that are under way end.
func (s *Server) serveHTTP(ctx context.Context, l net.Listener, known Credentials) error {
	server := &http.Server{
		Handler: s.Handler(known), ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, IdleTimeout: idleTime,
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
