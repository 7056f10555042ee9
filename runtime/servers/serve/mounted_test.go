package serve_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
)

// TestMounted: below a path of another server, a new run is where the reply says that it is.
func TestMounted(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	mux := http.NewServeMux()
	mux.Handle("/agents/", http.StripPrefix("/agents", c.server.Handler()))
	h := httptest.NewServer(mux)
	t.Cleanup(h.Close)
	below := *c
	below.url = h.URL + "/agents"

	follow := func(path string, body args) {
		t.Helper()
		made := below.send("POST", path, body)
		defer made.Body.Close()
		at, err := made.Location()
		if err != nil || made.StatusCode != http.StatusCreated {
			t.Fatalf("POST %s: %s, %v", path, made.Status, err)
		}
		shown, err := http.Get(at.String())
		if err != nil {
			t.Fatal(err)
		}
		defer shown.Body.Close()
		if shown.StatusCode != http.StatusOK {
			t.Errorf("POST %s: %s is %s", path, at, shown.Status)
		}
	}
	follow("/runs", args{"agent": "echo", "input": "x", "run": "a"})
	c.wait("a", client.Done)
	follow("/runs/a/forks", args{"at": "1", "resume": false})
}
