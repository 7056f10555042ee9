package client_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/mcp/client"
)

var errEnough = errors.New("enough of it")

// interrupted opens a server, and ends that when the server has begun not to answer.
func interrupted(t *testing.T, s client.Server, begins func()) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		begins()
		cancel(errEnough)
	}()
	runner, closing, err := client.Part{Servers: []client.Server{s}}.OpenTools(ctx, os.LookupEnv)
	if runner != nil || closing != nil || err != errEnough {
		t.Errorf("opening ends with %v, %v", runner, err)
	}
	idle()
}

// idle waits until no goroutine works for servers.
func idle() { awaitNone("/mcp/client.", "go-sdk/") }

// awaitNone waits until no goroutine but those of tests has one of the texts in its stack; the test's own time ends a wait in vain.
func awaitNone(texts ...string) {
	for {
		var all bytes.Buffer
		_ = pprof.Lookup("goroutine").WriteTo(&all, 2)
		busy := false
		for _, stack := range strings.Split(all.String(), "\n\n") {
			ours := slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(stack, text) })
			busy = busy || ours && !strings.Contains(stack, "testing.tRunner")
		}
		if !busy {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// processOf waits until a server that never answers has begun, and returns its process.
func processOf(t *testing.T, file string) int {
	for {
		if text, err := os.ReadFile(file); err == nil {
			pid, err := strconv.Atoi(string(text))
			if err != nil {
				t.Error(err)
			}

			return pid
		}
		time.Sleep(time.Millisecond)
	}
}

// unanswering is a command of a kind that never answers, and the file in which it says which process it is.
func unanswering(t *testing.T, kind string) (s client.Server, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "process")
	t.Setenv(processFile, file)
	s = own(t, kind)
	s.Env = append(s.Env, processFile)

	return s, file
}

// Whoever does not wait any more for a command that never answers is heard, and nothing is left of it.
func TestInterruptedStart(t *testing.T) {
	for _, kind := range []string{"silent", "deaf", "secretive"} {
		t.Run(kind, func(t *testing.T) {
			s, file := unanswering(t, kind)
			var pid int
			interrupted(t, s, func() { pid = processOf(t, file) })
			gone(pid)
		})
	}
}

// One run that waits no longer does not end the wait of another for the same server.
func TestInterruptedTogether(t *testing.T) {
	s, file := unanswering(t, "silent")
	ctx, cancel := context.WithCancelCause(t.Context())
	other := make(chan error)
	go func() {
		processOf(t, file)
		first, cancelFirst := context.WithCancelCause(t.Context())
		go func() {
			_, _, err := client.Part{Servers: []client.Server{s}}.OpenTools(first, os.LookupEnv)
			other <- err
		}()
		cancelFirst(errors.New("the other has enough"))
		if err := <-other; err == nil || err.Error() != "the other has enough" {
			t.Errorf("who waits for a start that is under way: %v", err)
		}
		cancel(errEnough)
	}()
	if _, _, err := (client.Part{Servers: []client.Server{s}}).OpenTools(ctx, os.LookupEnv); err != errEnough {
		t.Errorf("who started it: %v", err)
	}
	idle()
}

// The same for addresses: those that never answer at all, and those that begin to.
func TestInterruptedAddress(t *testing.T) {
	const (
		welcome = `{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},` +
			`"serverInfo":{"name":"desk","version":"1"}}}`
		discovered = `{"jsonrpc":"2.0","id":ID,"result":{"supportedVersions":["2026-07-28"],` +
			`"capabilities":{"tools":{"listChanged":true}}}}`
		refused = `{"jsonrpc":"2.0","id":ID,"error":{"code":-32601,"message":"there is no such method"}}`
	)
	for _, test := range []struct {
		name    string
		hangs   string
		replies map[string]string
		partly  bool
	}{
		{"a server that says nothing", "", nil, false},
		{"its greeting", "initialize", map[string]string{"server/discover": refused}, false},
		{"the middle of its greeting", "initialize", map[string]string{"server/discover": refused}, true},
		{"its tools", "tools/list", map[string]string{"server/discover": refused, "initialize": welcome}, false},
		{"its changes", "subscriptions/listen", map[string]string{"server/discover": discovered}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			hangs := make(chan struct{}, 8)
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				method, id := requestOf(body)
				w.Header().Set("Content-Type", "application/json")
				switch reply, ok := test.replies[method]; {
				case ok:
					_, _ = io.WriteString(w, strings.Replace(reply, "ID", id, 1))
				case method == "notifications/initialized" || r.Method == http.MethodDelete:
					w.WriteHeader(http.StatusAccepted)
				case test.hangs == "" || method == test.hangs:
					if test.partly {
						_, _ = io.WriteString(w, `{"jsonrpc":`)
						w.(http.Flusher).Flush()
					}
					hangs <- struct{}{}
					<-r.Context().Done()
				}
			}))
			t.Cleanup(web.Close)
			interrupted(t, client.Server{Name: "desk", URL: web.URL}, func() { <-hangs })
		})
	}
}
