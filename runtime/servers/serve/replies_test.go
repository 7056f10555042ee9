package serve_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// failing is a store that fails when it is told to.
type failing struct {
	journal.Store
	now atomic.Bool
}

var errDisk = &journal.StoreError{Op: "read", Path: "runs", Err: errors.New("the disk is gone")}

func (f *failing) err() error {
	if f.now.Load() {
		return errDisk
	}

	return nil
}

func (f *failing) Create(ctx context.Context, run string) (journal.File, error) {
	if err := f.err(); err != nil {
		return nil, err
	}

	return f.Store.Create(ctx, run)
}

func (f *failing) Open(ctx context.Context, run string) (journal.File, error) {
	if err := f.err(); err != nil {
		return nil, err
	}

	return f.Store.Open(ctx, run)
}

func (f *failing) Read(ctx context.Context, run string) (io.ReadCloser, error) {
	if err := f.err(); err != nil {
		return nil, err
	}

	return f.Store.Read(ctx, run)
}

func (f *failing) List(ctx context.Context, q journal.Query) ([]string, error) {
	if err := f.err(); err != nil {
		return nil, err
	}

	return f.Store.List(ctx, q)
}

func (f *failing) Stamp(ctx context.Context, run string) (size, changed int64, err error) {
	if err := f.err(); err != nil {
		return 0, 0, err
	}

	return f.Store.Stamp(ctx, run)
}

// asked is a request for each operation of the description.
type asked struct {
	id, method, path string
	body             any
}

// requests are those that succeed as long as the run waits for an answer, in this order.
func requests(run string) []asked {
	at := "/runs/" + run

	return []asked{
		{"health", "GET", "/health", nil},
		{"describe", "GET", "/openapi.json", nil},
		{"listAgents", "GET", "/agents", nil},
		{"startRun", "POST", "/runs", args{"agent": "echo", "input": "x"}},
		{"listRuns", "GET", "/runs", nil},
		{"showRun", "GET", at, nil},
		{"streamEvents", "GET", at + "/events", nil},
		{"answerQuestion", "POST", at + "/answers", args{"question": "approve", "value": "yes"}},
		{"resumeRun", "POST", at + "/resume", args{}},
		{"cancelRun", "POST", at + "/cancel", nil},
		{"sendSignal", "POST", at + "/signals", args{"kind": "k"}},
		{"forkRun", "POST", at + "/forks", args{"at": "2", "resume": false}},
		{"ready", "GET", "/ready", nil},
		{"showPage", "GET", at + "/page", nil},
		{"showCaller", "GET", "/caller", nil},
		{"showMetrics", "GET", "/metrics", nil},
	}
}

// Every reply of every operation is given once, and fits what the description says of it; those that need a story of their own
// are given by other tests, and named here.
func TestEveryReply(t *testing.T) {
	got := map[string]bool{}
	ask := func(c *visitor, a asked, change ...func(*http.Request)) {
		t.Helper()
		status, _ := c.do(a.method, a.path, a.body, change...)
		got[a.id+" "+strconv.Itoa(status)] = true
	}

	store := &failing{Store: journal.Memory()}
	c := served(t, newDesk(), serve.Options{Store: store})
	run := c.start("pay", "7")
	c.wait(run, client.Paused)
	for _, a := range requests(run) {
		ask(c, a, host("example.com")) // 403
		if a.body != nil {
			ask(c, asked{a.id, a.method, a.path, "{"})                         // 400
			ask(c, a, header("Content-Type", "text/plain"))                    // 415
			ask(c, asked{a.id, a.method, a.path, strings.Repeat(" ", 17<<20)}) // 413
		}
	}
	for _, a := range requests("nobody") {
		if strings.Contains(a.path, "nobody") {
			ask(c, a) // 404
		}
	}
	ask(c, asked{"listRuns", "GET", "/runs?status=none", nil})
	ask(c, asked{"listRuns", "GET", "/runs?limit=0", nil})
	ask(c, asked{"showPage", "GET", "/runs/" + run + "/page?has=" + strings.Repeat("x", 65), nil})
	ask(c, asked{"streamEvents", "GET", "/runs/" + run + "/events?from=x", nil})
	ask(c, asked{"streamEvents", "GET", "/runs/" + run + "/events", nil}, header("Accept", "image/png"))
	ask(c, asked{"startRun", "POST", "/runs", args{"input": "x", "agent": "nobody"}})
	ask(c, asked{"startRun", "POST", "/runs", args{"input": "x", "run": run}})
	ask(c, asked{"answerQuestion", "POST", "/runs/" + run + "/answers", args{"question": "approve", "value": "maybe"}})
	ask(c, asked{"forkRun", "POST", "/runs/" + run + "/forks", args{"at": "99"}})
	signals := c.start("signals", "x")
	<-c.desk.busy
	ask(c, asked{"sendSignal", "POST", "/runs/" + signals + "/signals", args{"kind": "user-message"}})
	ask(c, asked{"forkRun", "POST", "/runs/" + signals + "/forks", args{"at": "1"}})
	close(c.desk.may)
	c.wait(signals, client.Done)
	ask(c, asked{"streamEvents", "GET", "/runs/" + signals + "/events", nil},
		header("Accept", "text/event-stream"), header("Last-Event-ID", "1000"))

	store.now.Store(true)
	for _, a := range requests(run) {
		ask(c, a) // 500
	}
	store.now.Store(false)
	cancelled := c.start("pay", "8")
	c.wait(cancelled, client.Paused)
	ask(c, asked{"cancelRun", "POST", "/runs/" + cancelled + "/cancel", nil})
	for range 2 { // 409 of what has ended
		for _, a := range requests(run) {
			if a.id == "cancelRun" {
				c.wait(run, client.Done) // what was answered is not cancelled
			}
			ask(c, a)
		}
	}
	c.server.Close()
	ask(c, requests(run)[3]) // 503
	ask(c, requests(run)[12])
	failed := served(t, newDesk(), serve.Options{Store: store})
	other := failed.start("fails", "x")
	failed.wait(other, client.Failed)
	failed.server.Close()
	ask(failed, requests(other)[8])

	p := newDesk().program()
	p.Name = "other"
	another := servedProgram(t, newDesk(), p, serve.Options{Store: store})
	ask(another, requests(run)[11])
	ask(another, asked{"resumeRun", "POST", "/runs/" + cancelled + "/resume", args{}}) // 409

	if err := another.server.FillRoom(); err != nil {
		t.Fatal(err)
	}
	ask(another, asked{"showRun", "GET", "/runs/" + run, nil})
	ask(another, asked{"showPage", "GET", "/runs/" + run + "/page", nil})

	known := withTokens(t, serve.Options{})
	for _, a := range requests(run) {
		ask(known, a) // 401
	}

	// Given by TestPlaces, TestMissingModel and TestTooManyStreams.
	elsewhere := []string{"startRun 429", "resumeRun 422", "streamEvents 429"}
	for at, item := range description().Paths {
		for method, operation := range item {
			described, isOperation := operation.(map[string]any)
			if !isOperation {
				continue
			}
			for status := range described["responses"].(map[string]any) {
				name := described["operationId"].(string) + " " + status
				if !got[name] && !slices.Contains(elsewhere, name) {
					t.Errorf("%s %s never answers with %s", method, at, status)
				}
			}
		}
	}
}
