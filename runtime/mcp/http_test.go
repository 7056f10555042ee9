package mcp_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime/mcp"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

const (
	headToken  = "head-0123456789abcdef"
	clerkToken = "clerk-0123456789abcdef"
)

// holder sends a token with every request.
type holder string

func (b holder) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b != "" {
		r.Header.Set("Authorization", "Bearer "+string(b))
	}

	return http.DefaultTransport.RoundTrip(r)
}

// over serves the desk over HTTP to the holders of tokens; without any, to whoever comes.
func over(t testing.TB, tokens string, o board.Options) *httptest.Server {
	t.Helper()
	var lookup access.Lookup
	if tokens != "" {
		lookup = lookupOf(t, tokens)
	}

	return httpServer(t, desk(t, "", o), lookup)
}

// lookupOf finds the holders of the tokens of a text.
func lookupOf(t testing.TB, tokens string) access.Lookup {
	t.Helper()
	known, err := access.Parse("test", tokens)
	if err != nil {
		t.Fatal(err)
	}

	return known.Lookup
}

func httpServer(t testing.TB, s *mcp.Server, lookup access.Lookup) *httptest.Server {
	server := httptest.NewServer(s.Handler(lookup))
	t.Cleanup(server.Close)

	return server
}

// overHTTP connects a client with a version of the protocol.
func overHTTP(t testing.TB, s *mcp.Server, version string) *visitor {
	server := httpServer(t, s, nil)
	c := dialVersion(t, at(server.URL, ""), nil, version)
	c.leave = server.CloseClientConnections

	return c
}

func at(url string, token holder) sdk.Transport {
	return &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: token}, DisableStandaloneSSE: true}
}

// Who calls over HTTP is who has the token.
func TestTokens(t *testing.T) {
	server := over(t, "# who\nhead="+headToken+"\nclerk="+clerkToken+"\n", board.Options{})
	clerk, head := dial(t, at(server.URL, clerkToken), nil), dial(t, at(server.URL, headToken), nil)

	clerk.want("fsm_transition", fire("case", "archive", "head"), args{"ok": false, "errorType": "IdentityError"})
	clerk.want("fsm_transition", fire("case", "archive", "clerk"), args{"ok": false, "errorType": "AccessError"})
	clerk.want("orchestrator_info", args{}, args{"identity": "clerk"})
	head.want("fsm_transition", fire("case", "archive", "head"), args{"ok": true})

	for _, token := range []holder{"", "wrong-0123456789abcdef", clerkToken + "x", holder(clerkToken[:len(clerkToken)-1])} {
		_, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), at(server.URL, token), nil)
		if err == nil || !strings.Contains(err.Error(), "Unauthorized") {
			t.Errorf("token %q: %v", token, err)
		}
	}
}

// A session belongs to whoever began it, whatever other tokens are good for.
func TestStolenSession(t *testing.T) {
	server := over(t, "head="+headToken+" clerk="+clerkToken, board.Options{})
	head := dialVersion(t, at(server.URL, headToken), nil, "2025-11-25")
	body := `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"orchestrator_info","arguments":{}}}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Session-Id", head.session.ID())
	for token, want := range map[holder]int{clerkToken: http.StatusForbidden, headToken: http.StatusOK} {
		again := r.Clone(t.Context())
		again.Body, _ = r.GetBody()
		response, err := token.RoundTrip(again)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("token %q: status %d, want %d", token, response.StatusCode, want)
		}
	}
}

// Pages of a browser do not get in, not even by a name of theirs for this machine.
func TestBrowsers(t *testing.T) {
	server := over(t, "", board.Options{})
	for name, change := range map[string]func(*http.Request){
		"another origin": func(r *http.Request) { r.Header.Set("Origin", "https://example.com") },
		"another site":   func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"another host":   func(r *http.Request) { r.Host = "example.com" },
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		change(r)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusForbidden {
			t.Errorf("%s: status %d", name, response.StatusCode)
		}
	}
}

// Of a thousand clients that want the same step of one machine one gets it, and the others are told why they do not.
func TestThousandClients(t *testing.T) {
	const clients = 1000
	server := over(t, "", board.Options{Dir: t.TempDir()})
	var won, lost atomic.Int32
	var group sync.WaitGroup
	begin := make(chan struct{})
	for range clients {
		group.Go(func() {
			session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(context.Background(), at(server.URL, ""), nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer session.Close()
			<-begin
			result, err := session.CallTool(context.Background(), &sdk.CallToolParams{Name: "fsm_transition",
				Arguments: args{"fsm_id": "case", "key": "open", "agent_id": "x", "expected_seq": 1}})
			reply, _ := result.StructuredContent.(map[string]any)
			switch {
			case err != nil:
				t.Error(err)
			case !result.IsError && reply["seq"] == 2.0:
				won.Add(1)
			case result.IsError && reply["errorType"] == "StaleError":
				lost.Add(1)
			default:
				t.Errorf("the reply is %v", reply)
			}
		})
	}
	close(begin)
	group.Wait()
	if won.Load() != 1 || lost.Load() != clients-1 {
		t.Errorf("%d won and %d lost", won.Load(), lost.Load())
	}
	c := dial(t, at(server.URL, ""), nil)
	c.want("fsm_state", args{"fsm_id": "case"}, args{"state": "opened", "seq": 2})
}

// Clients that hang in the middle of a request, or do not read their replies, keep nobody else from anything.
func TestHangingClients(t *testing.T) {
	server := over(t, "", board.Options{})
	address := server.Listener.Addr().String()
	for i := range 50 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		half := "POST / HTTP/1.1\r\nHost: " + address + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"
		if i%2 == 0 {
			half += "Accept: application/json, text/event-stream\r\n\r\n{\"jsonrpc\":"
		}
		if _, err := fmt.Fprint(conn, half); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c := dial(t, at(server.URL, ""), nil)
		for range 20 {
			c.want("fsm_transition", fire("case", "open", "x"), args{"ok": true})
			c.want("fsm_transition", fire("case", "close", "x"), args{"ok": true})
		}
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Error("nobody gets through")
	}
}
