package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/redact"
	"github.com/agentc-dev/agentc/runtime/internal/engine/turn"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

const (
	// startTime is how long a server may take until it can be called: some fetch themselves first.
	startTime = 2 * time.Minute
	// mostEnds is how often a server may end during calls.
	mostEnds = 3
	// freshFor is how long a list of tools counts that was asked for at an address, from where no change is reported.
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

	turn turn.Turn // of what follows; it is held while a server is started
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
	// changed reports whether the server has reported other tools; seen is when they were looked
	// at.
	changed atomic.Bool
	seen    time.Time
}

// wire is what a connection is made of.
type wire interface {
	sdk.Transport
	// problem returns what is wrong with the connection, if the wire knows better than the
	// protocol.
	problem() error
	// isReached reports whether there is a server that can answer, and that has sent nothing but messages.
	isReached() bool
	// hasAnswered reports whether the server has answered a message.
	hasAnswered() bool
	// outputTail is the end of what the server has written beside its messages.
	outputTail() string
	// stop ends the connection for good. abort is stop for a server for which no caller waits any
	// more: it is not asked first. Both return when nothing is left of it, whichever is called
	// first counts, and they may be called at any time.
	stop()
	abort()
}

// currentLink returns a connection that lasts, as far as is known, to a server that offers what is pinned. When ctx ends meanwhile, the error
// is its cause.
func (s *session) currentLink(ctx context.Context) (*link, error) {
	back, err := s.turn.Take(ctx)
	if err != nil {
		return nil, err
	}
	defer back()
	within, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	err = s.ensureLink(within)
	switch {
	case err == nil:
		return s.link, nil
	case ctx.Err() != nil: // which says nothing about a connection that others use as well
		return nil, context.Cause(ctx)
	case s.link != nil:
		s.dropLink(s.link)
	}

	return nil, err
}

// ensureLink makes sure that there is a connection. A connection that was lost between calls is
// made again: servers end sessions as they like.
func (s *session) ensureLink(ctx context.Context) error {
	if s.done {
		return s.unusableError(nil, errors.New("the run has ended"))
	}
	if s.link != nil && s.link.wire.problem() == nil {
		err := s.comparePins(ctx, s.link)
		if runtime.ErrorType(err) != codeStart || ctx.Err() != nil {
			return err
		}
	}
	if s.link != nil {
		s.dropLink(s.link)
	}
	var err error
	s.link, err = s.connectLink(ctx)

	return err
}

// firstAnswerTime is how long a server of unknown protocol has to answer the first message. It is a variable for tests.
var firstAnswerTime = 5 * time.Second

// initializeProtocol is the newest version of the protocol whose first message is initialize. Later ones begin with server/discover.
const initializeProtocol = "2025-11-25"

// connectLink reaches the server, and looks what it offers. A server of which no protocol is pinned is greeted with server/discover. Servers
// of older versions may end at that message, or say nothing; they are started again, and greeted with initialize.
func (s *session) connectLink(ctx context.Context) (*link, error) {
	if s.server.Protocol != "" {
		return s.connectBy(ctx, s.server.Protocol, startTime).linkOrError()
	}
	first := s.connectBy(ctx, "", firstAnswerTime)
	if !first.isIgnored(ctx) {
		return first.linkOrError()
	}
	second := s.connectBy(ctx, initializeProtocol, startTime)
	if !second.isRefused() {
		return second.linkOrError()
	}

	return s.connectBy(ctx, "", startTime).linkOrError() // it knows no initialize: it was slow to start
}

// attempt is an attempt to connect: the error is nil if the link can be used.
type attempt struct {
	link *link
	err  error
}

// linkOrError returns the link, or the reason why there is no link.
func (a attempt) linkOrError() (*link, error) {
	if a.err != nil {
		return nil, a.err
	}

	return a.link, nil
}

// isIgnored reports whether there is a server that has not answered the first message, though it had the time.
func (a attempt) isIgnored(ctx context.Context) bool {
	return a.err != nil && ctx.Err() == nil && a.link.wire.isReached() && !a.link.wire.hasAnswered()
}

// isRefused reports whether the server has answered the first message with an error.
func (a attempt) isRefused() bool {
	return a.err != nil && a.link.session == nil && a.link.wire.hasAnswered()
}

// connectBy connects with the first message of a version of the protocol; "" is the newest. A server that has not answered after
// patience is given up.
func (s *session) connectBy(ctx context.Context, protocol string, patience time.Duration) attempt {
	l := &link{wire: s.newWire()}
	// The SDK waits for some things that a context does not end.
	settled := context.AfterFunc(ctx, l.wire.abort)
	impatient := time.AfterFunc(patience, func() {
		if !l.wire.hasAnswered() {
			l.wire.abort()
		}
	})
	defer impatient.Stop()
	err := s.startProtocol(ctx, l, protocol)
	if err == nil {
		err = s.comparePins(ctx, l)
	}
	if !settled() { // whatever it failed with came of that
		err = s.unusableError(l, ctx.Err())
	}
	if err != nil {
		l.closeConnection()
	}

	return attempt{l, err}
}

// startProtocol begins the protocol.
func (s *session) startProtocol(ctx context.Context, l *link, protocol string) error {
	client := sdk.NewClient(&sdk.Implementation{Name: "agentc", Version: "1"}, &sdk.ClientOptions{
		Capabilities:           &sdk.ClientCapabilities{},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { l.changed.Store(true) },
	})
	client.AddSendingMiddleware(notKept)
	connected, err := client.Connect(ctx, l.wire, &sdk.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		return s.unusableError(l, err)
	}
	l.session = connected

	return nil
}

func (s *session) newWire() wire {
	if s.server.URL != "" {
		return newAddress(s.server, s.values)
	}

	return newProcess(s.server, s.env, s.values)
}

// comparePins compares the offer of the server with the pins, if it may have changed.
func (s *session) comparePins(ctx context.Context, l *link) error {
	stale := s.server.URL != "" && time.Since(l.seen) > freshFor
	if !l.seen.IsZero() && !stale && !l.changed.Load() {
		return nil
	}
	l.changed.Store(false)
	offered, err := offeredBy(ctx, l.session)
	if err != nil {
		l.changed.Store(true) // what it offers now is still not known
		return s.unusableError(l, err)
	}
	l.seen = time.Now()

	return s.server.compareTools(offered)
}

// The codes of errors; see runtime.ErrorType.
const (
	// codeStart means that a server cannot be used: it does not start, does not answer, or does not speak the protocol.
	codeStart = "StartError"
	// codeAuth means that a server requires a login, or refuses the credentials that it received. A run never waits for a person to log in.
	codeAuth = "AuthError"
	// codeDrift means that the tools of a server differ from their pins.
	codeDrift = "DriftError"
	// codeEnded means that a server has ended too often during calls.
	codeEnded = "EndedError"
)

// unusableError is the error of a server that cannot be used, with the end of what its command has written beside messages.
func (s *session) unusableError(l *link, err error) error {
	said := ""
	if l != nil {
		if p, ok := l.wire.(*process); ok && isHungUp(err) {
			p.waitForExit() // a command may print the reason before it ends, and that is read when it has ended
		}
		said = s.secrets.Text(l.wire.outputTail())
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("it does not answer: %w", err)
	case l != nil && l.wire.problem() != nil:
		err = l.wire.problem()
	}
	if coded := (*errs.Coded)(nil); errors.As(err, &coded) && coded.Code == codeAuth {
		return coded
	}
	text := fmt.Sprintf("MCP server %q (%s): %v", s.server.Name, s.server.addressText(), err)
	if said != "" {
		text += "; it wrote:\n" + indent(said)
	}

	return &errs.Coded{Code: codeStart, Text: text, Err: err}
}

// isHungUp reports whether the other end of a connection has gone: which error says so depends on whether it went before it was written
// to, before it was read from, or in between.
func isHungUp(err error) bool {
	return errors.Is(err, sdk.ErrConnectionClosed) || errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed)
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
}

// dropLink drops a connection that is lost. The caller has the turn.
func (s *session) dropLink(l *link) {
	if s.link == l {
		s.link = nil
	}
	l.closeConnection()
}

// takeTurnAndDrop drops a connection for a caller who does not have the turn.
func (s *session) takeTurnAndDrop(ctx context.Context, l *link) {
	if back, err := s.turn.Take(ctx); err == nil {
		defer back()
		s.dropLink(l)
	}
}

// countCrash counts a server that has ended during a call. The error is the one of a server that
// ends too often, or the cause of a context that has ended.
func (s *session) countCrash(ctx context.Context, l *link, err error) error {
	back, cause := s.turn.Take(ctx)
	if cause != nil {
		return cause
	}
	defer back()
	if s.link == l { // else another call has found it out
		s.ends++
		s.dropLink(l)
	}
	if s.ends > mostEnds {
		const text = "MCP server %q has ended %d times while it was called, and is not started again: %v"
		return &errs.Coded{Code: codeEnded, Text: fmt.Sprintf(text, s.server.Name, s.ends, err), Err: err}
	}

	return nil
}

// closeLink ends the session.
func (s *session) closeLink() {
	back, _ := s.turn.Take(context.Background()) // which does not end
	defer back()
	s.done = true
	if s.link != nil {
		s.dropLink(s.link)
	}
}

// closing is how long the farewell of the protocol may take.
const closing = 2 * time.Second

// closeConnection ends the connection: politely, and if that takes too long, otherwise.
func (l *link) closeConnection() {
	if l.session != nil {
		bye := make(chan struct{})
		go func() {
			defer close(bye)
			_ = l.session.Close() // the reader is gone
		}()
		select {
		case <-bye:
		case <-time.After(closing):
		}
	}
	l.wire.stop()
}

// addressText returns how the server is reached, for people.
func (s Server) addressText() string {
	if s.URL != "" {
		return s.URL
	}

	return strings.Join(s.Command, " ")
}
