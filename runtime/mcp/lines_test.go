package mcp_test

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/board"
)

// wire is a client that writes lines.
type wire struct {
	*testing.T
	in    io.WriteCloser
	out   *bufio.Reader
	ended chan error
}

func newWire(t *testing.T) *wire {
	in, to := io.Pipe()
	from, out := io.Pipe()
	w := &wire{t, to, bufio.NewReaderSize(from, 1<<20), make(chan error, 1)}
	s := desk(t, "head", board.Options{})
	go func() { w.ended <- s.Serve(t.Context(), in, out) }()

	return w
}

func (w *wire) say(line string) {
	w.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.Fatal(err)
	}
}

// hear reads a line and compares the fields of it that want has.
func (w *wire) hear(want string) {
	w.Helper()
	line, err := w.out.ReadString('\n')
	if err != nil {
		w.Fatal(err)
	}
	var got, wanted map[string]any
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		w.Fatalf("%s: %v", line, err)
	}
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		w.Fatal(err)
	}
	if !holds(got, wanted) {
		w.Errorf("heard %s, want %s", line, want)
	}
}

// holds reports whether got has all that want has; texts may hold more.
func holds(got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		fields, _ := got.(map[string]any)
		for name, w := range want {
			if g, there := fields[name]; !there || !holds(g, w) {
				return false
			}
		}
		return true
	case []any:
		items, _ := got.([]any)
		for i, w := range want {
			if i >= len(items) || !holds(items[i], w) {
				return false
			}
		}
		return true
	case string:
		text, _ := got.(string)
		return strings.Contains(text, want)
	}

	return got == want
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
	`"clientInfo":{"name":"raw","version":"1"}}}`

// A session in plain lines: notifications are not answered, slips are, and neither ends it.
func TestLines(t *testing.T) {
	w := newWire(t)
	w.say(hello)
	w.hear(`{"id": 1, "result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}}`)
	w.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	w.say(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	w.hear(`{"id": "p", "result": {}}`)

	w.say("")
	w.say("this is not JSON")
	w.hear(`{"id": null, "error": {"code": -32700}}`)
	w.say(`{"jsonrpc":"2.0","id":2,"method":`)
	w.hear(`{"id": null, "error": {"code": -32700}}`)
	w.say(`{"jsonrpc":"1.0","id":3,"method":"ping"}`)
	w.hear(`{"id": null, "error": {"code": -32600}}`)
	w.say(`[{"jsonrpc":"2.0","id":4,"method":"ping"}]`)
	w.hear(`{"id": null, "error": {"code": -32600}}`)
	w.say(strings.Repeat("x", 17<<20))
	w.hear(`{"id": null, "error": {"code": -32600, "message": "longer than 16777216 bytes"}}`)
	w.say(`{"jsonrpc":"2.0","id":5,"method":"no/such"}`)
	w.hear(`{"id": 5, "error": {"code": -32601}}`)
	w.say(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"no_such"}}`)
	w.hear(`{"id": 6, "error": {"code": -32602}}`)

	w.say(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"fsm_transition",` +
		`"arguments":{"fsm_id":"case","key":"open","agent_id":"head"}}}` + "\r")
	w.hear(`{"id": 7, "result": {"content": [{"type": "text", "text": "{\"ok\":true,\"fsmId\":\"case\",` +
		`\"transition\":{\"from\":\"new\",\"to\":\"opened\"},\"blackboardWritten\":true"}]}}`)
	w.say(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"fsm_transition"}}`)
	w.hear(`{"id": 8, "result": {"isError": true, "content": [{"text": "{\"ok\":false,\"error\":\"fsm_id is required\""}]}}`)

	if err := w.in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-w.ended; err != nil {
		t.Errorf("at the end of its input the server says %v", err)
	}
}
