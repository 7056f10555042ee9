package web

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/tools"
)

// env are the variables of the tests: what the skill may write, and one that it may not.
var env = map[string]string{
	"API_KEY": "sk-live-0123456789\n", "ODD_KEY": `p"a/s&s w=o+r%d\x`, "HOME_KEY": "not-for-the-skill", "BROKEN": "two\r\nX-Evil: lines",
}

var declared = []string{"API_KEY", "ODD_KEY", "UNSET", "BROKEN"}

// open makes the tools ready.
func open(t testing.TB, k Tools) compiled.BuiltinTools {
	t.Helper()
	set, err := tools.On(k)(func(name string) (string, bool) {
		value, ok := env[name]

		return value, ok
	})
	if err != nil {
		t.Fatal(err)
	}

	return set
}

// run calls a tool with arguments that are written as JSON.
func run(t testing.TB, set compiled.BuiltinTools, tool, args string) runtime.ToolResult {
	t.Helper()
	call := runtime.ToolCall{Agent: "a", Tool: rt.Builtin(tool), Args: json.RawMessage(args), Vars: declared}
	result, ok, err := set.Run(context.Background(), call)
	if !ok || err != nil {
		t.Fatalf("%s %s: %v, %v", tool, args, ok, err)
	}
	if string(call.Args) != args {
		t.Errorf("the arguments of the call have become %s", call.Args)
	}

	return result
}

// get fetches a URL.
func get(t testing.TB, set compiled.BuiltinTools, url string) runtime.ToolResult {
	t.Helper()
	args, _ := json.Marshal(map[string]string{"url": url})

	return run(t, set, "http_get", string(args))
}

// server is a server on the loopback that counts its requests.
type server struct {
	*httptest.Server
	requests atomic.Int64
}

func serve(t testing.TB, handler http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		handler(w, r)
	}))
	t.Cleanup(s.Close)

	return s
}

// host is the host and port of the server.
func (s *server) host() string { return strings.TrimPrefix(s.URL, "http://") }

func (s *server) port() string {
	_, port, _ := net.SplitHostPort(s.host())

	return port
}

// named is the server's address under another name for it.
func (s *server) named(name string) string { return "http://" + net.JoinHostPort(name, s.port()) }

func answers(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(text)) }
}
