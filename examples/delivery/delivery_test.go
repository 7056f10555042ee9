package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/examples/delivery/agents"
	"github.com/agentc-dev/agentc/runtime/mcp"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

// binary builds this command, as agentc build does, and returns where it is.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "delivery-*")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "delivery.exe")
	out, err := exec.Command("go", "build", "-o", file, ".").CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}

	return file, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if file, err := binary(); err == nil {
		_ = os.RemoveAll(filepath.Dir(file))
	}
	os.Exit(code)
}

// served is `delivery mcp` with the arguments, on a store of its own.
func served(t *testing.T, store string, args ...string) *exec.Cmd {
	t.Helper()
	file, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(file, append([]string{"mcp", "--store", store}, args...)...)
	cmd.Stderr = os.Stderr

	return cmd
}

// client is a client of the SDK.
type client struct {
	*testing.T
	*sdk.ClientSession
}

func dial(t *testing.T, transport sdk.Transport) client {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(context.Background(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })

	return client{t, session}
}

// as connects to a process of its own, as somebody.
func as(t *testing.T, store, name string) client {
	t.Helper()

	return dial(t, &sdk.CommandTransport{Command: servedAs(t, store, name)})
}

// servedAs is served for the holder of the token of a name.
func servedAs(t *testing.T, store, name string) *exec.Cmd {
	t.Helper()
	cmd := served(t, store)
	tokens := ""
	for _, known := range []string{"lead", "scout", "builder", "reviewer", "rogue"} {
		tokens += known + "=" + tokenOf(known) + " "
	}
	cmd.Env = append(os.Environ(), "AGENTC_MCP_TOKENS="+tokens, "AGENTC_TOKEN="+tokenOf(name))

	return cmd
}

func tokenOf(name string) string { return name + "-0123456789abcdef" }

// reply is what fsm_transition and fsm_state answer.
type reply struct {
	OK         bool
	Error      string
	ErrorType  string
	Transition struct {
		From string
		To   *string
	}
	State       string
	Key         string
	Seq         uint64
	Enter, Exit []string
	Valid       []string
	Timers      []step
	Pending     json.RawMessage
}

// step is one of a timer, or one that is not acknowledged.
type step struct {
	Entry       uint64
	From, To    string
	Enter, Exit []string
}

func (c client) call(tool string, args map[string]any) (r reply) {
	c.Helper()
	result, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		c.Fatal(err)
	}
	text := result.Content[0].(*sdk.TextContent).Text
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		c.Fatalf("%s: %v", text, err)
	}
	if r.OK == result.IsError {
		c.Errorf("isError is %v for %s", result.IsError, text)
	}

	return r
}

// fire fires a key and returns what became of it: the state that it led to, or the type of the error.
func (c client) fire(agent, id, key string) string {
	c.Helper()
	r := c.call("fsm_transition", map[string]any{"fsm_id": id, "key": key, "agent_id": agent})
	switch {
	case !r.OK:
		return r.ErrorType
	case r.Transition.To == nil:
		return "~"
	}

	return *r.Transition.To
}

// Each role in a process of its own drives one order from intake to delivery, over one store.
func TestRoles(t *testing.T) {
	store, id := t.TempDir(), "delivery/order #1"
	staff := map[string]client{}
	for _, name := range []string{"lead", "scout", "builder", "reviewer", "rogue"} {
		staff[name] = as(t, store, name)
	}
	for _, step := range []struct{ who, key, want string }{
		{"rogue", "check", "AccessError"},
		{"lead", "check", "checking"},
		{"scout", "accept", "AccessError"},
		{"scout", "found", "InvalidTransitionError"}, // not yet
		{"lead", "accept", "gathering"},
		{"lead", "found", "AccessError"},
		{"scout", "found", "planning"},
		{"lead", "planned", "building"},
		{"reviewer", "approve", "InvalidTransitionError"}, // there is nothing to review
		{"builder", "built", "reviewing"},
		{"builder", "approve", "AccessError"}, // nobody reviews what is their own
		{"reviewer", "reject", "building"},
		{"builder", "built", "reviewing"},
		{"lead", "overdue", "AccessError"}, // that is the timer's
		{"reviewer", "approve", "shipping"},
		{"lead", "shipped", "delivered"},
		{"lead", "check", "InvalidTransitionError"},
	} {
		if got := staff[step.who].fire(step.who, id, step.key); got != step.want {
			t.Fatalf("%s fires %s: %s, want %s", step.who, step.key, got, step.want)
		}
	}
	if r := staff["rogue"].call("fsm_state", map[string]any{"fsm_id": id}); r.State != "delivered" || r.Seq != 10 || len(r.Valid) > 0 {
		t.Errorf("at the end: %+v", r)
	}
	if got := staff["rogue"].fire("lead", id, "check"); got != "IdentityError" {
		t.Errorf("a rogue that says it is the lead: %s", got)
	}
}

// Whoever is late finds that the timer was faster.
func TestTimeouts(t *testing.T) {
	moved := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	program := agents.New().Program()
	b, err := board.Open(t.Context(), board.Options{Program: program, Clock: func() time.Time { return moved }})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	there, here := sdk.NewInMemoryTransports()
	if err := mcp.NewServer(mcp.Options{Program: program, Board: b, Caller: access.Named("lead")}).Connect(t.Context(), there); err != nil {
		t.Fatal(err)
	}
	c := dial(t, here)

	c.fire("lead", "delivery", "check")
	moved = moved.Add(59 * time.Second)
	if got := c.fire("lead", "delivery", "accept"); got != "gathering" {
		t.Errorf("in time: %s", got)
	}
	c.fire("lead", "delivery/2", "check")
	moved = moved.Add(time.Minute)
	r := c.call("fsm_transition", map[string]any{"fsm_id": "delivery/2", "key": "accept", "agent_id": "lead"})
	if r.ErrorType != "InvalidTransitionError" || r.State != "failed" || !slices.Equal(r.Valid, []string{"retry", "abandon"}) {
		t.Errorf("too late: %+v", r)
	}
	if r := c.call("fsm_transition", map[string]any{"fsm_id": "delivery/2", "new_state": "intake", "agent_id": "lead"}); r.Key != "retry" || r.Seq != 4 {
		t.Errorf("again: %+v", r)
	}
}

// What has to be done because a timer moved a machine reaches the next caller, on every path, and is kept until it is acknowledged.
func TestNamesOfTimers(t *testing.T) {
	moved := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	store, program := t.TempDir(), agents.New().Program()
	lead := func() client {
		b, err := board.Open(t.Context(), board.Options{Program: program, Clock: func() time.Time { return moved }, Dir: store})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		there, here := sdk.NewInMemoryTransports()
		if err := mcp.NewServer(mcp.Options{Program: program, Board: b, Caller: access.Named("lead")}).Connect(t.Context(), there); err != nil {
			t.Fatal(err)
		}

		return dial(t, here)
	}
	c := lead()
	for _, test := range []struct {
		id, tool string
		args     map[string]any
	}{
		{"delivery/1", "fsm_transition", map[string]any{"key": "retry", "agent_id": "lead"}},
		{"delivery/2", "fsm_transition", map[string]any{"key": "accept", "agent_id": "lead"}},
		{"delivery/3", "fsm_state", map[string]any{}},
	} {
		c.fire("lead", test.id, "check")
		moved = moved.Add(time.Minute)
		test.args["fsm_id"] = test.id
		r := c.call(test.tool, test.args)
		if len(r.Timers) != 1 || r.Timers[0].To != "failed" || !slices.Equal(r.Timers[0].Enter, []string{"tell-lead"}) {
			t.Errorf("%s %v: %+v", test.tool, test.args, r)
		}
	}
	next := lead() // as after a crash: nothing was closed
	for i, id := range []string{"delivery/1", "delivery/2", "delivery/3"} {
		var pending []step
		if err := json.Unmarshal(next.call("fsm_pending", map[string]any{"fsm_id": id}).Pending, &pending); err != nil {
			t.Fatal(err)
		}
		if len(pending) != 1 || pending[0].From != "checking" || !slices.Equal(pending[0].Enter, []string{"tell-lead"}) {
			t.Fatalf("%d: %+v", i, pending)
		}
		next.call("fsm_ack", map[string]any{"fsm_id": id, "entries": []uint64{pending[0].Entry}})
	}
	if r := lead().call("fsm_pending", nil); string(r.Pending) != "[]" {
		t.Errorf("after it is acknowledged: %s", r.Pending)
	}
}

// What the host has to do comes with the step.
func TestNames(t *testing.T) {
	c := as(t, "none", "lead")
	c.fire("lead", "delivery", "check")
	r := c.call("fsm_transition", map[string]any{"fsm_id": "delivery", "key": "refuse", "agent_id": "lead"})
	if !slices.Equal(r.Enter, []string{"tell-lead"}) || r.Exit != nil {
		t.Errorf("%+v", r)
	}
	if got := c.fire("lead", "delivery", "abandon"); got != "~" {
		t.Errorf("abandoned: %s", got)
	}
}
