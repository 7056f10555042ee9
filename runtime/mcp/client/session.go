package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/tools/redact"
)

const (
	// startTime is how long a server may take until it can be called: some fetch themselves first.
	startTime = 2 * time.Minute
	// mostEnds is how often a server may end in the midst of calls.
	mostEnds = 3
	// freshFor is how long a list of tools counts that was asked for at an address, from where no change is told.
	freshFor = time.Minute
)

// session is a server in use.
type session struct {
	server  Server
	env     func(string) (string, bool)
	values  map[string]string
	secrets *redact.Redactor

	// key and users are the pool's.
	key   string
	users int

	mu   sync.Mutex // of what follows; it is held while a server is started
	link *link
	ends int
	done bool
}

func newSession(s Server, env func(string) (string, bool), values map[string]string) *session {
	return &session{server: s, env: env, values: values, secrets: secretsOf(values)}
}

// link is a connection to the server, for as long as it lasts.
type link struct {
	session *sdk.ClientSession
	wire    wire
	// changed says that the server has told of other tools, seen is when they were looked at.
	changed atomic.Bool
	seen    time.Time
}

// wire is what a connection is made of.
type wire interface {
	sdk.Transport
	// problem says what is wrong with the connection, if the wire knows better than the protocol.
	problem() error
	// said is the end of what the server has written beside its messages.
	said() string
	// stop ends the connection for good.
	stop()
}

// open makes the server ready: it is reached, and what it offers is what is pinned.
func (s *session) open() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	_, err := s.current(ctx)

	return err
}

// current returns a connection that lasts, as far as is known, to a server that offers what is pinned.
func (s *session) current(ctx context.Context) (*link, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done {
		return nil, s.failed(nil, errors.New("the run has ended"))
	}
	if s.link == nil {
		l, err := s.connect(ctx)
		if err != nil {
			return nil, err
		}
		s.link = l
	}
	if err := s.look(ctx, s.link); err != nil {
		s.drop(s.link)
		return nil, err
	}

	return s.link, nil
}

// connect reaches the server.
func (s *session) connect(ctx context.Context) (*link, error) {
	l := &link{wire: s.newWire()}
	client := sdk.NewClient(&sdk.Implementation{Name: "agentc", Version: "1"}, &sdk.ClientOptions{
		Capabilities:           &sdk.ClientCapabilities{},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { l.changed.Store(true) },
	})
	connected, err := client.Connect(ctx, l.wire, &sdk.ClientSessionOptions{ProtocolVersion: s.server.Protocol})
	if err != nil {
		defer l.wire.stop()
		return nil, s.failed(l, err)
	}
	l.session = connected

	return l, nil
}

func (s *session) newWire() wire {
	if s.server.URL != "" {
		return newAddress(s.server, s.values)
	}

	return newProcess(s.server, s.env, s.values)
}

// look compares what the server offers with the pins, if that may have changed.
func (s *session) look(ctx context.Context, l *link) error {
	stale := s.server.URL != "" && time.Since(l.seen) > freshFor
	if !l.seen.IsZero() && !stale && !l.changed.Load() {
		return nil
	}
	l.changed.Store(false)
	offered, err := offeredBy(ctx, l.session)
	if err != nil {
		return s.failed(l, err)
	}
	l.seen = time.Now()
	if drift := s.server.compare(offered); drift != nil {
		return drift
	}

	return nil
}

// failed is the error of a server that cannot be used.
func (s *session) failed(l *link, err error) error {
	said := ""
	if l != nil {
		if better := l.wire.problem(); better != nil {
			err = better
		}
		said = s.secrets.Text(l.wire.said())
	}
	var auth *AuthError
	if errors.As(err, &auth) {
		return auth
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it does not answer: %w", err)
	}

	return &StartError{Server: s.server.Name, At: s.server.at(), Err: err, Said: said}
}

// drop forgets a connection that does not last.
func (s *session) drop(l *link) {
	if s.link == l {
		s.link = nil
	}
	l.close()
}

// ended counts a server that has ended in the midst of a call. The error is that of one that does so too often.
func (s *session) ended(l *link, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link == l { // else another call has found it out
		s.ends++
		s.drop(l)
	}
	if s.ends > mostEnds {
		return &EndedError{Server: s.server.Name, Times: s.ends, Err: err}
	}

	return nil
}

// stop ends the session.
func (s *session) stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = true
	if s.link != nil {
		s.drop(s.link)
	}

	return nil
}

// closing is how long the farewell of the protocol may take.
const closing = 2 * time.Second

// close ends the connection: politely, and if that takes too long, otherwise.
func (l *link) close() {
	if l.session != nil {
		bye := make(chan struct{})
		go func() {
			defer close(bye)
			_ = l.session.Close() // nobody listens any more
		}()
		select {
		case <-bye:
		case <-time.After(closing):
		}
	}
	l.wire.stop()
}

// at is how the server is reached, for people.
func (s Server) at() string {
	if s.URL != "" {
		return s.URL
	}

	return strings.Join(s.Command, " ")
}
