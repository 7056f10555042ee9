package client_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/mcp/client"
)

// crafted is a server at an address, of which each reply to a call is made by hand.
type crafted struct {
	// list is what it says of its tools: the result of tools/list.
	list string
	// modern is for one that speaks the newest version of the protocol.
	modern bool
	// call answers a call: id is its number as it stands in the request, session the one that the request names.
	call func(w http.ResponseWriter, id, session string)

	mu sync.Mutex
	// greeted and listed count how often it was greeted, and asked for its tools.
	greeted, listed int
}

const oneTool = `{"tools":[{"name":"look","inputSchema":{"type":"object"}}]}`

// server starts the server, and pins its tools.
func (c *crafted) server(t *testing.T) client.Server {
	t.Helper()
	web := httptest.NewServer(c)
	t.Cleanup(web.Close)
	if c.list == "" {
		c.list = oneTool
	}

	return pinned(t, client.Server{Name: "desk", URL: web.URL})
}

func (c *crafted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	method, id := requestOf(body)
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch method {
	case "initialize":
		c.greeted++
		w.Header().Set("Mcp-Session-Id", fmt.Sprintf("session-%d", c.greeted))
		answer(w, id, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"desk","version":"1"}}`)
	case "tools/list":
		c.listed++
		answer(w, id, c.list)
	case "tools/call":
		c.call(w, id, r.Header.Get("Mcp-Session-Id"))
	case "ping":
		answer(w, id, "{}")
	case "server/discover":
		if c.modern {
			answer(w, id, `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
			return
		}
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"there is no such method"}}`, id)
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

func answer(w io.Writer, id, result string) {
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

const good = `{"content":[{"type":"text","text":"seen"}]}`

// A session that the server has ended is begun anew, as often as it takes, and nobody hears of it.
func TestForgottenSessions(t *testing.T) {
	for name, refuse := range map[string]func(w http.ResponseWriter){
		"404": func(w http.ResponseWriter) { http.Error(w, "session not found", http.StatusNotFound) },
		"404 as JSON": func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}`)
		},
		"400 as JSON": func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			answered := map[string]bool{}
			c := &crafted{call: func(w http.ResponseWriter, id, session string) {
				if answered[session] { // each session is good for one call
					refuse(w)
					return
				}
				answered[session] = true
				answer(w, id, good)
			}}
			call := use(t, c.server(t))
			for n := range 8 {
				if got := call("look", "{}"); got.Text != "seen" || got.Problem != "" {
					t.Fatalf("call %d: %+v", n, got)
				}
			}
			if len(answered) != 8 {
				t.Errorf("8 calls were made in %d sessions", len(answered))
			}
		})
	}
}

// What a server says to calls is told, whatever it is, and does not end the run however often it comes.
func TestFaultyReplies(t *testing.T) {
	status := func(code int, text string) func(w http.ResponseWriter, id, session string) {
		return func(w http.ResponseWriter, _, _ string) { http.Error(w, text, code) }
	}
	says := func(result string) func(w http.ResponseWriter, id, session string) {
		return func(w http.ResponseWriter, id, _ string) { answer(w, id, result) }
	}
	fails := func(problem string) func(w http.ResponseWriter, id, session string) {
		return func(w http.ResponseWriter, id, _ string) {
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":%s}`, id, problem)
		}
	}
	for name, test := range map[string]struct {
		call func(w http.ResponseWriter, id, session string)
		want string // the problem, or with = before it the text
	}{
		"too many":          {status(429, "slow down"), `MCP server "desk" refuses the call: status 429 Too Many Requests`},
		"overloaded":        {status(503, "later"), `MCP server "desk" refuses the call: status 503 Service Unavailable`},
		"broken":            {status(500, "panic"), `MCP server "desk" has failed: status 500 Internal Server Error; it is not known`},
		"gone for good":     {status(404, "no"), `MCP server "desk" refuses the call: status 404 Not Found`},
		"a wrong method":    {status(405, "no"), `MCP server "desk" has failed: status 405 Method Not Allowed`},
		"no message":        {fails(`{"code":-32603,"message":""}`), `MCP server "desk" refuses the call, error -32603, and gives no reason`},
		"a long message":    {fails(`{"code":-32603,"message":"` + strings.Repeat("x", 2<<20) + `"}`), "the result has 2097152 bytes"},
		"no content":        {says(`{}`), "="},
		"null":              {says(`null`), "="},
		"content null":      {says(`{"content":null}`), "="},
		"content of a kind": {says(`{"content":[{"type":"hologram","text":"seen"}]}`), "hologram"},
		"no list":           {says(`{"content":"seen"}`), "has given no answer that can be read"},
		"no object":         {says(`"seen"`), "has given no answer that can be read"},
		"an error alone":    {says(`{"isError":true}`), "the tool failed, and gives no reason"},
		"an error as JSON":  {says(`{"isError":true,"structuredContent":{"why":"closed"}}`), `{"why":"closed"}`},
		"an error and an image": {
			says(`{"isError":true,"content":[{"type":"image","mimeType":"image/png","data":"AAAA"}]}`),
			"an image (image/png, 3 bytes)",
		},
		"JSON that contradicts": {says(`{"content":[{"type":"text","text":"{\"n\":1}"}],"structuredContent":{"n":2}}`), `={"n":2}`},
		"large numbers": {
			says(`{"content":[{"type":"text","text":"{\"n\":12345678901234567890}"}],"structuredContent":{"n":12345678901234567890}}`),
			`={"n":12345678901234567890}`,
		},
		"recordings and links": {
			says(`{"content":[{"type":"audio","mimeType":"audio/wav","data":"AAAA"},{"type":"resource_link","uri":"file:///a","name":"a"},` +
				`{"type":"resource","resource":{"uri":"file:///b","text":"seen"}},{"type":"resource","resource":{"uri":"file:///c","blob":"AAAA"}}]}`),
			"=a file:///a\nseen\n[a recording (audio/wav, 3 bytes), which cannot be read here]\n" +
				"[a resource (file:///c, , 3 bytes), which cannot be read here]",
		},
		"a stream without an answer": {func(w http.ResponseWriter, id, _ string) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n")
		}, "request terminated without response; it is not known whether it did what it was asked"},
	} {
		t.Run(name, func(t *testing.T) {
			c := &crafted{call: test.call}
			call := use(t, c.server(t))
			for n := range 6 {
				got := call("look", "{}")
				text, wanted := strings.CutPrefix(test.want, "=")
				if wanted && (got.Problem != "" || got.Text != text) || !wanted && !strings.Contains(got.Problem, test.want) {
					t.Fatalf("call %d: %.500q, %.500q", n, got.Text, got.Problem)
				}
			}
		})
	}
}

// A stream that breaks off, or says what is no message, ends the connection; the next call makes another.
func TestCutStreams(t *testing.T) {
	for name, stream := range map[string]string{
		"in a message":     "data: {\"jsonrpc\":\"2.0\",\"me",
		"to be gone on":    "id: 7\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n",
		"with no message":  "data: hello\n\n",
		"with no JSON-RPC": "data: {}\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			c := &crafted{call: func(w http.ResponseWriter, id, _ string) {
				if calls++; calls > 1 {
					answer(w, id, good)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, stream)
			}}
			call := use(t, c.server(t))
			if got := call("look", "{}"); !strings.Contains(got.Problem, "it is not known whether it did what it was asked") {
				t.Errorf("%+v", got)
			}
			if got := call("look", "{}"); got.Text != "seen" {
				t.Errorf("afterwards: %+v", got)
			}
		})
	}
}

// A server that would have its list of tools kept is asked all the same.
func TestKeptList(t *testing.T) {
	c := &crafted{modern: true, list: `{"resultType":"complete","ttlMs":3600000,` + oneTool[1:]}
	c.server(t)
	if c.listed != 2 {
		t.Errorf("the list was asked for %d times", c.listed)
	}
}

// Schemas that are none are not pinned.
func TestNoSchemas(t *testing.T) {
	c := &crafted{list: `{"tools":[{"name":"a","inputSchema":null,"outputSchema":true},{"name":"b"},{"name":"c","inputSchema":[1]},null]}`}
	s := c.server(t)
	for _, tool := range s.Tools {
		if tool.Spec.Input != `{"type":"object"}` || tool.Spec.Output != "" {
			t.Errorf("%s: %q, %q", tool.Remote, tool.Spec.Input, tool.Spec.Output)
		}
	}
	if len(s.Tools) != 3 {
		t.Errorf("%d tools", len(s.Tools))
	}
}

// A token that is not taken any more in the midst of a run is an error of its own, at once.
func TestTokenRunsOut(t *testing.T) {
	c := &crafted{call: func(w http.ResponseWriter, _, _ string) { http.Error(w, "expired", http.StatusUnauthorized) }}
	s := c.server(t)
	runner, closing, err := client.Part{Servers: []client.Server{s}}.OpenTools(t.Context(), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	defer closing()
	_, _, err = runner.Run(t.Context(), called(s, "look", "{}"))
	if runtime.ErrorType(err) != "AuthError" || !strings.Contains(err.Error(), "status 401") {
		t.Errorf("%v", err)
	}
}
