package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/examples/delivery/agents"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/mcp"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

// served is a server to measure.
type served struct {
	name string
	// lines serves one client over pipes, handler any number over HTTP.
	lines   func(ctx context.Context, in, out *os.File) error
	handler http.Handler
	tool    string
	// board is what is served, if that is a board.
	board *board.Board
}

// contestServers are the contestants: a tool of the SDK, with the SDK's own transports, that is empty or appends to a file,
// and the live machine of examples/delivery on boards. closeAll closes the boards and the file.
func contestServers(ctx context.Context, folder string) (servers []served, closeAll func()) {
	inMemory, onDisk := boardServer(ctx, boardMemory, ""), boardServer(ctx, boardDisk, folder)
	file, record := recordOf(ctx, onDisk.board, folder)
	appends := toolServer(appendTool, func() error {
		if _, err := file.Write(record); err != nil {
			return err
		}
		return file.Sync()
	})
	empty := toolServer(emptyTool, func() error { return nil })

	return []served{empty, inMemory, onDisk, appends}, func() {
		check(errors.Join(inMemory.board.Close(), onDisk.board.Close(), file.Close()))
	}
}

// boardServer serves a board in a folder, or in memory.
func boardServer(ctx context.Context, name, folder string) served {
	program := agents.New().Program()
	b := must(board.Open(ctx, board.Options{Program: program, Dir: folder}))
	s := mcp.NewServer(mcp.Options{Program: program, Board: b, Caller: access.Named("lead")})

	return served{
		name: name, tool: "fsm_transition", handler: s.Handler(nil), board: b,
		lines: func(ctx context.Context, in, out *os.File) error { return s.Serve(ctx, in, out) },
	}
}

// recordOf takes one step on a board in a folder, and returns as many bytes as it has written, and a file beside it to append them to.
func recordOf(ctx context.Context, b *board.Board, folder string) (file *os.File, record []byte) {
	before := bytesIn(folder)
	step := board.Request{ID: "delivery/first", Attempt: drive.Attempt{Key: circle[0], Agent: "lead"}, Identity: "lead"}
	must(b.Transition(ctx, step))
	record = bytes.Repeat([]byte("-"), int(bytesIn(folder)-before))

	return must(os.OpenFile(filepath.Join(folder, "appended"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)), record
}

// bytesIn returns the size of all files of a folder.
func bytesIn(folder string) (size int64) {
	for _, entry := range must(os.ReadDir(folder)) {
		size += must(entry.Info()).Size()
	}

	return size
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
func overPipes(ctx context.Context, s served) (dial func() sdk.Transport, end func()) {
	ctx, cancel := context.WithCancel(ctx)

	return func() sdk.Transport {
		in, to, err := os.Pipe()
		check(err)
		from, out, err := os.Pipe()
		check(err)
		go func() {
			_ = s.lines(ctx, in, out)
			_ = errors.Join(in.Close(), out.Close())
		}()
		return &sdk.IOTransport{Reader: from, Writer: to}
	}, cancel
}

// overHTTP serves all clients at one address of this machine.
func overHTTP(_ context.Context, s served) (dial func() sdk.Transport, end func()) {
	server := httptest.NewServer(s.handler)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

	return func() sdk.Transport {
		return &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: client, DisableStandaloneSSE: true}
	}, server.Close
}
