package mcp

import (
	"context"
	"errors"
	"io"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/board"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/serve"
)

// Options are what a server serves, and to whom.
type Options struct {
	Program *compiled.Program
	// Board holds the live machines; nil: none is served.
	Board *board.Board
	// Runs runs agents, in the background, and keeps their journals; nil: agents are no tools. Who has made it closes it.
	Runs *serve.Server
	// Operators are the holders of tokens who see and answer all runs of the store; others those that they have started. Over a
	// connection without a token everyone does.
	Operators []string
	// Agent is the only agent that is a tool; "": all that can be started.
	Agent string
	// As is who calls over a connection without a credential; "": somebody without a name.
	As string
	// MaxSessions is how many HTTP sessions there are at most; 0: defaultMaxSessions.
	MaxSessions int
	// InitTime is how long an HTTP session may be without notifications/initialized; 0: defaultInitTime.
	InitTime time.Duration
}

// Server serves a program. It is safe for concurrent use.
type Server struct {
	options  Options
	sdk      *sdk.Server
	sessions *sessions
}

// NewServer returns a server. It serves nobody yet.
func NewServer(o Options) *Server {
	s := &Server{options: o, sessions: newSessions(o.MaxSessions, o.InitTime)}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: o.Program.Name, Version: o.Program.Shape}, &sdk.ServerOptions{
		Instructions: instructions(o), Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		InitializedHandler: s.sessions.initialized,
	})
	s.sessions.serve(s.sdk)
	if o.Board != nil {
		s.addMachines()
		s.addBlackboard()
	}
	s.addInfo()
	s.addAgents()
	s.addRuns()

	return s
}

// Serve serves one client, a message a line, until it closes in or ctx is done.
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
