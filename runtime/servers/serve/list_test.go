package serve_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// readStore counts how often journals are read.
type readStore struct {
	journal.Store
	reads atomic.Int32
}

func newReadStore(t *testing.T) *readStore {
	return &readStore{Store: journal.Files(t.TempDir())}
}

func (s *readStore) Read(ctx context.Context, run string) (io.ReadCloser, error) {
	s.reads.Add(1)

	return s.Store.Read(ctx, run)
}

// listed is the list as it is now, by id.
func listed(c *visitor) map[string]map[string]any {
	c.Helper()
	all := map[string]map[string]any{}
	for _, run := range c.want(http.StatusOK, "GET", "/runs", nil)["runs"].([]any) {
		run := run.(map[string]any)
		all[run["run"].(string)] = run
	}

	return all
}

// A journal is read once for the list, and again when another process has gone on with the run.
func TestListReadsWhatHasChanged(t *testing.T) {
	d, store := newDesk(), newReadStore(t)
	c := served(t, d, serve.Options{Store: store})
	echo, fails := c.start("echo", "a"), c.start("fails", "b")
	c.wait(echo, client.Done)
	c.wait(fails, client.Failed)
	before := listed(c)
	read := store.reads.Load()
	if again := listed(c); again[echo]["status"] != "done" || again[fails]["status"] != "failed" || store.reads.Load() != read {
		t.Errorf("%d journals were read again: %v", store.reads.Load()-read, again)
	}

	other := engine.New(engine.Options{Model: echoing.Model, Store: store.Store})
	if _, err := other.Resume(t.Context(), d.program(), fails); err == nil {
		t.Fatal("it does not fail")
	}
	after := listed(c)
	if after[fails]["changed"] == before[fails]["changed"] || after[echo]["changed"] != before[echo]["changed"] {
		t.Errorf("before %v\nafter %v", before, after)
	}
	if got := store.reads.Load() - read; got == 0 {
		t.Error("what has changed was not read")
	}
	if err := store.Remove(t.Context(), echo); err != nil {
		t.Fatal(err)
	}
	if after := listed(c); len(after) != 1 {
		t.Errorf("a run that was removed is listed: %v", after)
	}
}

// A list can be one of an agent, and of what was started from a time on.
func TestTheListOfAnAgent(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	for run, agent := range map[string]string{"a": "echo", "b": "pay"} {
		c.want(http.StatusCreated, "POST", "/runs", args{"agent": agent, "input": "7", "run": run})
	}
	c.wait("a", client.Done)
	c.wait("b", client.Paused)
	later := url.QueryEscape(time.Now().Add(time.Hour).Format(time.RFC3339))
	earlier := url.QueryEscape(time.Now().Add(-time.Hour).Format(time.RFC3339))
	for query, want := range map[string]int{
		"agent=echo": 1, "agent=none": 0, "since=" + later: 0, "since=" + earlier: 2, "agent=pay&since=" + earlier: 1, "agent=pay&status=done": 0,
	} {
		if runs := c.want(http.StatusOK, "GET", "/runs?"+query, nil)["runs"].([]any); len(runs) != want {
			t.Errorf("%s: %v", query, runs)
		}
	}
	for _, query := range []string{"since=yesterday", "statsu=paused"} {
		if reply := c.want(http.StatusBadRequest, "GET", "/runs?"+query, nil); reply["type"] != "QueryError" {
			t.Errorf("%s: the reply is %v", query, reply)
		}
	}
}

// Who follows the links of the list gets all runs that were asked for, each once.
func TestLinksOfTheList(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	want := []string{"a1", "a2", "a3", "a4", "a5"}
	for _, run := range want {
		c.want(http.StatusCreated, "POST", "/runs", args{"agent": "echo", "input": "x", "run": run})
		c.wait(run, client.Done)
	}
	var got []string
	for at := "/runs?status=done&limit=2"; at != ""; {
		response := c.send("GET", at, nil)
		for _, run := range readLines(t, response.Body)[0]["runs"].([]any) {
			got = append(got, run.(map[string]any)["run"].(string))
		}
		response.Body.Close()
		at = nextOf(c, response)
	}
	slices.Reverse(got)
	if !slices.Equal(got, want) {
		t.Errorf("the pages have %v", got)
	}
}

// nextOf is where the link of a reply leads; "" without one.
func nextOf(c *visitor, response *http.Response) string {
	c.Helper()
	link := response.Header.Get("Link")
	if link == "" {
		return ""
	}
	const relation = `>; rel="next"`
	if len(link) < len(relation)+1 || link[0] != '<' || link[len(link)-len(relation):] != relation {
		c.Fatalf("the link is %s", link)
	}
	at, err := url.Parse(link[1 : len(link)-len(relation)])
	if err != nil {
		c.Fatal(err)
	}

	return response.Request.URL.ResolveReference(at).RequestURI()
}
