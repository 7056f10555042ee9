package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/examples/delivery/agents"
	"github.com/agentc-dev/agentc/runtime/internal/board"
	"github.com/agentc-dev/agentc/runtime/mcp"
)

// served is a server to measure.
type served struct {
	name string
	// lines serves one client over pipes, handler any number over HTTP.
	lines   func(ctx context.Context, in, out *os.File) error
	handler http.Handler
	tool    string
}

// contestServers are the contestants: an empty tool of the SDK, with the SDK's own transports, and the live machine of
// examples/delivery on boards. closeAll closes the boards.
func contestServers(folder string) (servers []served, closeAll func() error, err error) {
	servers = []served{emptyServer()}
	closeAll = func() error { return nil }
	for _, at := range []struct{ name, dir string }{{boardMemory, ""}, {boardDisk, folder}} {
		program := agents.New().Program()
		b, err := board.Open(context.Background(), board.Options{Program: program, Dir: at.dir})
		if err != nil {
			return nil, nil, errors.Join(err, closeAll())
		}
		before := closeAll
		closeAll = func() error { return errors.Join(before(), b.Close()) }
		s := mcp.NewServer(mcp.Options{Program: program, Board: b, As: "lead"})
		servers = append(servers, served{
			name: at.name, tool: "fsm_transition", handler: s.Handler(nil),
			lines: func(ctx context.Context, in, out *os.File) error { return s.Serve(ctx, in, out) },
		})
	}

	return servers, closeAll, nil
}

// nothing are the arguments of the empty tool: as many as those of a step.
type nothing struct {
	FSM   string `json:"fsm_id"`
	Key   string `json:"key"`
	Agent string `json:"agent_id"`
}

func emptyServer() served {
	s := sdk.NewServer(&sdk.Implementation{Name: "empty"}, nil)
	sdk.AddTool(s, &sdk.Tool{Name: "empty"}, func(context.Context, *sdk.CallToolRequest, nothing) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "ok"}}}, nil, nil
	})

	return served{
		name: emptyTool, tool: "empty",
		handler: sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil),
		lines: func(ctx context.Context, in, out *os.File) error {
			return s.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out})
		},
	}
}

// overPipes serves each client over pipes of its own.
func overPipes(ctx context.Context, s served) (dial func() sdk.Transport, end func(), err error) {
	ctx, cancel := context.WithCancel(ctx)

	return func() sdk.Transport {
		in, to, err1 := os.Pipe()
		from, out, err2 := os.Pipe()
		if err := errors.Join(err1, err2); err != nil {
			return brokenTransport{err}
		}
		go func() {
			_ = s.lines(ctx, in, out)
			_ = errors.Join(in.Close(), out.Close())
		}()
		return &sdk.IOTransport{Reader: from, Writer: to}
	}, cancel, nil
}

// brokenTransport is one that could not be made.
type brokenTransport struct{ err error }

func (b brokenTransport) Connect(context.Context) (sdk.Connection, error) { return nil, b.err }

// overHTTP serves all clients at one address of this machine.
func overHTTP(_ context.Context, s served) (dial func() sdk.Transport, end func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	server := &http.Server{Handler: s.handler}
	go func() { _ = server.Serve(listener) }()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	url := "http://" + listener.Addr().String()

	return func() sdk.Transport {
		return &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: client, DisableStandaloneSSE: true}
	}, func() { _ = server.Close() }, nil
}
