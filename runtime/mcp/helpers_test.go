package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/mcp"
	"github.com/agentc-dev/agentc/runtime/mcp/internal/desk/agents"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/board"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// handClock is a clock that tests move.
type handClock struct{ nanos atomic.Int64 }

func (c *handClock) Now() time.Time        { return time.Unix(0, c.nanos.Load()).UTC() }
func (c *handClock) pass(by time.Duration) { c.nanos.Add(int64(by)) }

func newClock() *handClock {
	c := &handClock{}
	c.nanos.Store(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC).UnixNano())

	return c
}

// desk serves the program of internal/desk on a board of its own.
func desk(t testing.TB, as string, o board.Options) *mcp.Server {
	t.Helper()
	o.Program = agents.New().Program()
	b, err := board.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})

	return mcp.NewServer(mcp.Options{Program: o.Program, Board: b, Runs: runsOf(t, echo, nil), Caller: access.Named(as)})
}

// echo is a script in which every model says what it was asked.
const echo = `{"*": [{"say": "{{input}}!"}]}`

// runsOf runs the agents of internal/desk by a script; without a store in memory.
func runsOf(t testing.TB, script string, store journal.Store) *serve.Server {
	return runsOn(t, store, core.Config{Script: script, Partial: true})
}

func runsOn(t testing.TB, store journal.Store, config core.Config) *serve.Server {
	runs := serve.New(serve.Options{Program: core.Configured(agents.New().Program(), config), Store: store})
	t.Cleanup(runs.CloseNow)

	return runs
}

// visitor is a client of the SDK.
type visitor struct {
	testing.TB
	session *sdk.ClientSession
	// leave breaks the connection, without a word.
	leave func()
}

// connect connects a client in this process.
func connect(t testing.TB, s *mcp.Server, options *sdk.ClientOptions) *visitor {
	t.Helper()
	there, here := sdk.NewInMemoryTransports()
	if err := s.Connect(t.Context(), there); err != nil {
		t.Fatal(err)
	}

	kept := &keptTransport{Transport: here}
	c := dial(t, kept, options)
	c.leave = func() { _ = kept.conn.Close() }

	return c
}

// keptTransport keeps its connection.
type keptTransport struct {
	sdk.Transport
	conn sdk.Connection
}

func (k *keptTransport) Connect(ctx context.Context) (conn sdk.Connection, err error) {
	k.conn, err = k.Transport.Connect(ctx)

	return k.conn, err
}

func dial(t testing.TB, at sdk.Transport, options *sdk.ClientOptions) *visitor {
	t.Helper()

	return dialVersion(t, at, options, "")
}

// dialVersion connects a client with a version of the protocol; "" is the newest.
func dialVersion(t testing.TB, at sdk.Transport, options *sdk.ClientOptions, version string) *visitor {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, options).Connect(context.Background(), at,
		&sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })

	return &visitor{TB: t, session: session}
}

// args are the arguments of a call.
type args map[string]any

// fire are the arguments of a step.
func fire(id, key, agent string) args { return args{"fsm_id": id, "key": key, "agent_id": agent} }

// call calls a tool and returns its reply, after holding the two forms of it against each other and isError against ok.
func (c *visitor) call(tool string, in args) map[string]any {
	c.Helper()
	result, err := c.session.CallTool(c.Context(), &sdk.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		c.Fatalf("%s %v: %v", tool, in, err)
	}
	text := result.Content[0].(*sdk.TextContent).Text
	var fromText map[string]any
	if err := json.Unmarshal([]byte(text), &fromText); err != nil {
		c.Fatalf("%s replies %s: %v", tool, text, err)
	}
	if structured := result.StructuredContent.(map[string]any); fmt.Sprint(structured) != fmt.Sprint(fromText) {
		c.Errorf("%s replies %v as text, and %v as JSON", tool, fromText, structured)
	}
	if ok, isBool := fromText["ok"].(bool); !isBool || ok == result.IsError {
		c.Errorf("%s: ok is %v, and isError %v", tool, fromText["ok"], result.IsError)
	}

	return fromText
}

// want calls a tool and compares fields of its reply, as JSON.
func (c *visitor) want(tool string, in args, fields args) map[string]any {
	c.Helper()
	reply := c.call(tool, in)
	for name, want := range fields {
		got, _ := json.Marshal(reply[name])
		wanted, _ := json.Marshal(want)
		if string(got) != string(wanted) {
			c.Errorf("%s %v: %s is %s, want %s; the reply is %v", tool, in, name, got, wanted, reply)
		}
	}

	return reply
}

// result is that of a run that is done, a text.
func result(key, value string) args { return args{"key": key, "value": value, "json": false} }
