package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/examples/delivery/agents"
	"github.com/agentc-dev/agentc/runtime/board"
	"github.com/agentc-dev/agentc/runtime/drive"
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

// contestServers are the contestants: a tool of the SDK, with the SDK's own transports, that is empty or appends to a file,
// and the live machine of examples/delivery on boards. closeAll closes the boards and the file.
func contestServers(folder string) (servers []served, closeAll func() error, err error) {
	servers = []served{toolServer(emptyTool, func() error { return nil })}
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
		if at.dir == "" {
			continue
		}
		file, record, err := recordOf(b, folder)
		if err != nil {
			return nil, nil, errors.Join(err, closeAll())
		}
		servers = append(servers, toolServer(appendTool, func() error {
			if _, err := file.Write(record); err != nil {
				return err
			}
			return file.Sync()
		}))
		closeAll = func() error { return errors.Join(before(), b.Close(), file.Close()) }
	}

	return servers, closeAll, nil
}

// recordOf takes one step on a board in a folder, and returns as many bytes as it has written, and a file beside it to append them to.
func recordOf(b *board.Board, folder string) (file *os.File, record []byte, err error) {
	before, err := bytesIn(folder)
	if err != nil {
		return nil, nil, err
	}
	step := board.Request{ID: "delivery/first", Attempt: drive.Attempt{Key: circle[0], Agent: "lead"}, Identity: "lead"}
	if _, err := b.Transition(context.Background(), step); err != nil {
		return nil, nil, err
	}
	after, err := bytesIn(folder)
	if err != nil {
		return nil, nil, err
	}
	file, err = os.OpenFile(filepath.Join(folder, "appended"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)

	return file, bytes.Repeat([]byte("-"), int(after-before)), err
}

// bytesIn returns the size of all files of a folder.
func bytesIn(folder string) (size int64, err error) {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			return 0, err
		}
		size += info.Size()
	}

	return size, err
}

// nothing are the arguments of the empty tool: as many as those of a step.
type nothing struct {
	FSM   string `json:"fsm_id"`
	Key   string `json:"key"`
	Agent string `json:"agent_id"`
}

// toolServer has one tool. Over HTTP it has no sessions: from version 2026-07-28 of the protocol on, which both ends speak here, there
// are none, and runtime/mcp has none for such clients either.
func toolServer(name string, work func() error) served {
	s := sdk.NewServer(&sdk.Implementation{Name: "empty"}, nil)
	sdk.AddTool(s, &sdk.Tool{Name: "empty"}, func(context.Context, *sdk.CallToolRequest, nothing) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "ok"}}}, nil, work()
	})

	return served{
		name: name, tool: "empty",
		handler: sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{Stateless: true}),
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
