package client_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/mcp/client"
)

// TestMain makes the test program a server when it is told to be one.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == deskServer { // as the skill of internal/reception calls it
		serve("good")

		return
	}
	if kind := os.Getenv(kindVariable); kind != "" {
		serve(kind)

		return
	}
	*client.Politely = 300 * time.Millisecond // several servers of these tests never end by themselves
	os.Exit(m.Run())
}

// own is the server that this test program is, as a skill has it.
func own(t testing.TB, kind string, tools ...client.Tool) client.Server {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(kindVariable, kind)

	return client.Server{Name: "desk", Command: []string{program}, Env: []string{kindVariable}, Tools: tools}
}

// pinned asks a server for its tools and pins them, as agentc mcp pin does.
func pinned(t testing.TB, s client.Server) client.Server {
	t.Helper()
	pin, err := client.Ask(t.Context(), s, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	s.Protocol, s.Tools = pin.Protocol, nil
	for _, tool := range pin.Tools {
		s.Tools = append(s.Tools, client.Tool{
			Remote: tool.Name, Hints: tool.Hints,
			Spec: &runtime.ToolSpec{
				Name: tool.Name, Description: tool.Description, Input: string(tool.Input), Output: string(tool.Output), Server: s.Name,
			},
		})
	}

	return s
}

// use opens servers for a run that ends with the test.
func use(t testing.TB, servers ...client.Server) func(tool, args string) runtime.ToolResult {
	t.Helper()
	runner, closing, err := client.Part{Servers: servers}.OpenTools(t.Context(), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := closing(); err != nil {
			t.Error(err)
		}
	})

	return func(tool, args string) runtime.ToolResult {
		t.Helper()
		result, known, err := runner.Run(t.Context(), called(servers[0], tool, args))
		if err != nil || !known {
			t.Fatalf("%s: known is %v, %v", tool, known, err)
		}

		return result
	}
}

func called(s client.Server, tool, args string) runtime.ToolCall {
	return runtime.ToolCall{Agent: "clerk", Tool: &runtime.ToolSpec{Name: tool, Server: s.Name}, Args: json.RawMessage(args)}
}

func TestCalls(t *testing.T) {
	call := use(t, pinned(t, own(t, "good")))
	for _, test := range []struct {
		tool, args string
		want       runtime.ToolResult
	}{
		{"greet", `{"name":"Ada"}`, runtime.ToolResult{Text: `{"greeting":"Hello, Ada!"}`, JSON: true}},
		{"text", `{}`, runtime.ToolResult{Text: "one\ntwo"}},
		{"fails", `{}`, runtime.ToolResult{Problem: "no such letter"}},
		{"image", `{}`, runtime.ToolResult{Problem: "the tool gave an image (image/png, 3 bytes), and only text can be read here"}},
		{"mixed", `{}`, runtime.ToolResult{Text: "a picture:\n[an image (image/png, 3 bytes), which cannot be read here]"}},
	} {
		if got := call(test.tool, test.args); got != test.want {
			t.Errorf("%s %s: %+v, want %+v", test.tool, test.args, got, test.want)
		}
	}
}

// What is no tool of a server is asked of somebody else.
func TestOtherTools(t *testing.T) {
	s := pinned(t, own(t, "good"))
	runner, closing, err := client.Part{Servers: []client.Server{s}}.OpenTools(t.Context(), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	defer closing()
	for _, call := range []runtime.ToolCall{
		{Tool: rt.Builtin("bash")},
		{Tool: &runtime.ToolSpec{Name: "greet", Server: "another"}},
		called(s, "nothing", "{}"),
	} {
		if result, known, err := runner.Run(context.Background(), call); known || err != nil || result != (runtime.ToolResult{}) {
			t.Errorf("%s of %q: %+v, %v, %v", call.Tool.Name, call.Tool.Server, result, known, err)
		}
	}
}

// A command knows the variables that it is given, and of the others those that programs need.
func TestEnvironment(t *testing.T) {
	t.Setenv("SOME_API_KEY", "sk-0123456789")
	t.Setenv("DESK_TOKEN", "token-of-the-desk")
	s := own(t, "good")
	s.Env = append(s.Env, "DESK_TOKEN")
	got := use(t, pinned(t, s))("environment", "{}").Text
	if !strings.Contains(got, "DESK_TOKEN=token-of-the-desk\n") || !strings.Contains(got, "PATH=") || strings.Contains(got, "SOME_API_KEY") {
		t.Errorf("the server knows\n%s", got)
	}
}
