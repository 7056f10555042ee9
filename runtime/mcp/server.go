package mcp

import (
	"context"
	"errors"
	"io"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

// Options configure a server.
type Options struct {
	Program *compiled.Program
	// Board has the live machines; nil: none is served.
	Board *board.Board
	// Runs runs agents in the background and keeps their journals; nil: agents are not tools. The caller of NewServer
	// closes it.
	Runs *serve.Server
	// Agent is the only agent that is a tool; "": all that can be started.
	Agent string
	// Caller is the caller of a connection without a bearer token, such as [access.Named]; the zero Caller has no name
	// and may do everything.
	Caller access.Caller
	// MaxSessions is the largest number of HTTP sessions; 0: defaultMaxSessions.
	MaxSessions int
	// InitTime is how long an HTTP session may take until notifications/initialized; 0: defaultInitTime.
	InitTime time.Duration
}

// Server serves a program. It is safe for concurrent use.
type Server struct {
	options  Options
	sdk      *sdk.Server
	sessions *sessions
}

// NewServer returns a server, which serves no client yet.
func NewServer(o Options) *Server {
	s := &Server{options: o, sessions: newSessions(o.MaxSessions, o.InitTime)}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: o.Program.Name, Version: o.Program.Shape}, &sdk.ServerOptions{
		Instructions: writeInstructions(o), Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		InitializedHandler: s.sessions.markInitialized,
	})
	s.sessions.boundSessions(s.sdk)
	s.sdk.AddReceivingMiddleware(s.hideAgents)
	if o.Board != nil {
		s.addMachines()
		s.addBlackboard()
	}
	s.addInfo()
	s.addAgents()
	s.addRuns()

	return s
}

// Serve serves one client, one message in a line, until the client closes in or ctx is done.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	err := s.sdk.Run(ctx, &lines{in: in, out: out})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}

	return err
}

// Connect serves one client over a transport of the SDK, in the background.
func (s *Server) Connect(ctx context.Context, t sdk.Transport) error {
	_, err := s.sdk.Connect(ctx, t, nil)

	return err
}
