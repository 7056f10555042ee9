package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// longestStream is how long the reply to one request may be that is a stream of events.
const longestStream = 64 << 20

// address is a server at a URL.
type address struct {
	server  Server
	headers http.Header
	sdk     *sdk.StreamableClientTransport
	next    *http.Transport
	// alive ends with the connection, and with it every request.
	alive context.Context
	end   context.CancelFunc

	mu   sync.Mutex
	conn sdk.Connection
	fail error

	heard, missed atomic.Bool
}

func newAddress(s Server, values map[string]string) *address {
	a := &address{server: s, headers: http.Header{}}
	a.alive, a.end = context.WithCancel(context.Background())
	for _, h := range s.Headers {
		a.headers.Set(h.Name, strings.TrimSpace(fillVariables(h.Value, values)))
	}
	a.next = http.DefaultTransport.(*http.Transport).Clone()
	a.next.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	a.next.MaxResponseHeaderBytes = 1 << 20
	// The stream for what the server says unasked is not opened: the SDK waits for its head without a bound.
	a.sdk = &sdk.StreamableClientTransport{
		Endpoint: s.URL, HTTPClient: &http.Client{Transport: a, CheckRedirect: a.checkRedirect},
		MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: longestMessage,
	}

	return a
}

// checkRedirect allows redirections to the same host only, because headers hold credentials.
func (a *address) checkRedirect(r *http.Request, via []*http.Request) error {
	first := via[0].URL
	if r.URL.Scheme != first.Scheme || r.URL.Host != first.Host || len(via) > 3 {
		to := url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host, Path: r.URL.Path} // without what may be secret
		return a.recordProblem(fmt.Errorf("it redirects to %s", &to))
	}

	return nil
}

// Connect implements sdk.Transport.
func (a *address) Connect(ctx context.Context) (sdk.Connection, error) {
	conn, err := a.sdk.Connect(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.conn = conn

	return conn, err
}

// recordProblem records an error if it is the first, and returns it.
func (a *address) recordProblem(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fail == nil {
		a.fail = err
	}

	return err
}

// problem implements wire.
func (a *address) problem() error {
	a.mu.Lock()
	defer a.mu.Unlock()

	return a.fail
}

// isReached implements wire.
func (a *address) isReached() bool { return !a.missed.Load() && a.problem() == nil }

// hasAnswered implements wire.
func (a *address) hasAnswered() bool { return a.heard.Load() }

// outputTail implements wire. It is empty: the output of a server elsewhere is not visible here.
func (a *address) outputTail() string { return "" }

// stop implements wire. What the SDK has under way, and does not end itself, ends here.
func (a *address) stop() {
	a.end()
	a.mu.Lock()
	conn := a.conn
	a.mu.Unlock()
	if conn != nil {
		_ = conn.Close()
	}
	a.next.CloseIdleConnections()
}

// abort implements wire.
func (a *address) abort() { a.stop() }

// RoundTrip implements http.RoundTripper: it adds the headers to requests, and bounds what comes back.
func (a *address) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, end := a.contextDuring(r.Context())
	r = r.Clone(ctx)
	for name, values := range a.headers {
		r.Header[name] = values
	}
	resp, err := a.next.RoundTrip(r)
	if err != nil {
		a.missed.Store(ctx.Err() == nil)
		end()
		return nil, err
	}
	a.heard.Store(true)
	noteReply(resp)
	refuseUnknown(resp)
	if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden {
		_ = resp.Body.Close()
		end()
		return nil, a.recordProblem(a.newAuthError(resp))
	}
	most := int64(longestMessage)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		most = longestStream
	}
	resp.Body = &bounded{ReadCloser: resp.Body, left: most, address: a, end: end}

	return resp, nil
}

// contextDuring returns a context that ends with the connection at the latest.
func (a *address) contextDuring(ctx context.Context) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(a.alive, cancel)

	return ctx, func() {
		forget()
		cancel()
	}
}

func (a *address) newAuthError(resp *http.Response) error {
	text := fmt.Sprintf("MCP server %q (%s) wants authorization: status %d", a.server.Name, a.server.URL, resp.StatusCode)
	if challenge := shorten(resp.Header.Get("WWW-Authenticate")); challenge != "" {
		text += ", " + challenge
	}
	if variables := a.server.variableNames(); len(variables) > 0 {
		text += "; it did not take the value of " + strings.Join(variables, ", ")
	} else {
		text += `; there is no person here to log in: send a token of yours, headers: {Authorization: "Bearer ${NAME}"}`
	}

	return &errs.Coded{Code: codeAuth, Text: text}
}

// bounded is the body of a reply.
type bounded struct {
	io.ReadCloser
	left    int64
	address *address
	end     func()
}

var errLongReply = errors.New("it sends a reply that is too long")

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return 0, b.address.recordProblem(errLongReply)
	}

	return n, err
}

func (b *bounded) Close() error {
	defer b.end()

	return b.ReadCloser.Close()
}
