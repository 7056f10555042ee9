package mcp

import (
	"context"
	"errors"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/board"
)

// Options are what a server serves, and to whom.
type Options struct {
	Program *runtime.Program
	// Board holds the live machines; nil: none is served.
	Board *board.Board
	// Engine returns the engine on which one call runs an agent; nil: agents are no tools.
	Engine func(runtime.Observer) runtime.Engine
	// Agent is the only agent that is a tool; "": all that can be started.
	Agent string
	// As is who calls over a connection without a credential; "": somebody without a name.
	As string
}

// Server serves a program. It is safe for concurrent use.
type Server struct {
	options Options
	sdk     *sdk.Server
}

// NewServer returns a server. It serves nobody yet.
func NewServer(o Options) *Server {
	s := &Server{options: o, sdk: sdk.NewServer(
		&sdk.Implementation{Name: o.Program.Name, Version: o.Program.Shape},
		&sdk.ServerOptions{Instructions: instructions(o), Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}})}
	if o.Board != nil {
		s.addMachines()
		s.addBlackboard()
	}
	s.addInfo()
	s.addAgents()

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
