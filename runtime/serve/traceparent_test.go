package serve_test

import (
	"net/http"
	"testing"

	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/serve"
)

// TestTraceparent: a run belongs to the trace of whoever starts it, also for a process that goes on with it.
func TestTraceparent(t *testing.T) {
	const from = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	store := journal.Memory()
	c := served(t, newDesk(), serve.Options{Store: store})
	run := c.want(http.StatusCreated, "POST", "/runs", args{"agent": "echo", "input": "x"}, func(r *http.Request) {
		r.Header.Set("traceparent", from)
	})["run"].(string)
	c.wait(run, serve.Done)
	j, err := journal.Read(t.Context(), store, run)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := j.Records[0].Get("traceparent"); got != from {
		t.Errorf("the journal begins with %v", j.Records[0])
	}
}
