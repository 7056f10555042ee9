package serve_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// from is a request that lies in a trace.
func from(header string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("traceparent", header) }
}

// Places in traces.
const (
	starter  = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	answerer = "00-11111111111111111111111111111111-2222222222222222-01"
	resumer  = "00-33333333333333333333333333333333-4444444444444444-00"
)

// parents are what the records of a journal say of traces that say how processes took the run up.
func parents(t *testing.T, store journal.Store, run string) (all []string) {
	t.Helper()
	o, err := journal.Read(t.Context(), store, run, journal.Opened)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range o.Records {
		header, _ := r.Get("traceparent")
		all = append(all, header)
	}

	return all
}

// TestTraceparent: a run belongs to the trace of whoever starts it, and who has it go on is known, too.
func TestTraceparent(t *testing.T) {
	store := journal.Memory()
	c := served(t, newDesk(), serve.Options{Store: store})
	start := func(agent string) string {
		c.Helper()

		return c.want(http.StatusCreated, "POST", "/runs", args{"agent": agent, "input": "x"}, from(starter))["run"].(string)
	}

	paid := start("pay")
	c.wait(paid, client.Paused)
	c.want(http.StatusOK, "POST", "/runs/"+paid+"/answers", args{"question": "approve", "value": "yes"}, from(answerer))
	c.wait(paid, client.Done)
	if got := parents(t, store, paid); !slices.Equal(got, []string{starter, answerer}) {
		t.Errorf("the run that was answered has %q", got)
	}

	failed := start("fails")
	c.wait(failed, client.Failed)
	c.want(http.StatusOK, "POST", "/runs/"+failed+"/resume", args{}, from(resumer))
	c.wait(failed, client.Failed)
	if got := parents(t, store, failed); !slices.Equal(got, []string{starter, resumer}) {
		t.Errorf("the run that was resumed has %q", got)
	}

	fork := c.want(http.StatusCreated, "POST", "/runs/"+paid+"/forks", args{"at": "2", "reply": "no"}, from(resumer))
	copied := fork["run"].(string)
	c.wait(copied, client.Done)
	if got := parents(t, store, copied); got[len(got)-1] != resumer {
		t.Errorf("the copy has %q", got)
	}
}

// The answer that comes while another question is waited for counts for what goes on after it.
func TestTraceparentOfTheLastAnswer(t *testing.T) {
	store := journal.Memory()
	c := served(t, newDesk(), serve.Options{Store: store})
	run := c.start("both", "x")
	asked := c.wait(run, client.Paused)["questions"].([]any)
	for i, header := range []string{resumer, answerer} {
		id := asked[i].(map[string]any)["question"]
		c.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": id, "value": `"yes"`}, from(header))
	}
	c.wait(run, client.Done)
	if got := parents(t, store, run); got[len(got)-1] != answerer {
		t.Errorf("the run has %q", got)
	}
}
