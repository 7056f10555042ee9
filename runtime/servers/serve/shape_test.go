package serve_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
)

// priced is echoing with a price: 3 and 2 tokens cost 7 millionths of a dollar.
func priced() engine.Options {
	return engine.Options{Model: echoing.Model, Prices: model.Prices{Models: []model.Price{{Name: "*", Input: 1_000_000, Output: 2_000_000}}}}
}

// runAs is a reply as a Go program has it.
func runAs[T any](c *visitor, path string) (of T) {
	c.Helper()
	text, err := json.Marshal(c.want(http.StatusOK, "GET", path, nil))
	if err == nil {
		err = json.Unmarshal(text, &of)
	}
	if err != nil {
		c.Fatal(err)
	}

	return of
}

// A run says what it was given, what it waits for and since when, who answered what and when, what it took, and what it cost; the list
// says it too, but for what may be large.
func TestTheShapeOfARun(t *testing.T) {
	c := served(t, newDesk(), serve.Options{Engine: priced()})
	before := time.Now()
	run := c.start("pay", strings.Repeat("x", 501))
	c.wait(run, client.Paused)
	paused := runAs[client.Run](c, "/runs/"+run)
	if len(paused.Questions) != 1 || len(paused.Answers) != 0 || !paused.Ended.IsZero() {
		t.Fatalf("the run is %+v", paused)
	}
	if since := paused.Questions[0].Since; since.Before(before.Add(-time.Millisecond)) || since.After(time.Now()) {
		t.Errorf("the question was asked at %v", since)
	}
	inList := runAs[client.Runs](c, "/runs").Runs[0]
	if !inList.Cut || inList.Input != strings.Repeat("x", 500)+"…" || len(inList.Questions) != 1 || inList.Cost == nil {
		t.Errorf("in the list it is %+v", inList)
	}

	c.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes", "by": "ann"})
	c.wait(run, client.Done)
	done := runAs[client.Run](c, "/runs/"+run)
	if len(done.Answers) != 1 || len(done.Questions) != 0 || done.Ended.IsZero() || done.Result == nil || done.Program != "desk" {
		t.Fatalf("the run is %+v", done)
	}
	if a := done.Answers[0]; a.Question != "approve" || a.Value != "yes" || a.By != "ann" || a.At.Before(paused.Questions[0].Since) {
		t.Errorf("the answer is %+v", a)
	}
	if took := done.Ended.Sub(done.Begun).Milliseconds(); done.DurationMS != took {
		t.Errorf("it took %d ms of %d", done.DurationMS, took)
	}
	if done.Tokens != (client.Tokens{Input: 3, Output: 2}) || done.Cost == nil || done.Cost.USD != 0.000007 {
		t.Errorf("it used %+v, %+v", done.Tokens, done.Cost)
	}
	if inList = runAs[client.Runs](c, "/runs").Runs[0]; inList.Result.Value != "paid" || len(inList.Answers) != 1 {
		t.Errorf("in the list it is %+v", inList)
	}
}

// A run that goes on after it has failed has not ended, and has no problem.
func TestARunThatGoesOnHasNotEnded(t *testing.T) {
	d := newDesk()
	c := served(t, d, serve.Options{})
	run := c.start("fails", "x")
	c.wait(run, client.Failed)
	if failed := runAs[client.Run](c, "/runs/"+run); failed.Ended.IsZero() || failed.Problem == nil || failed.Result != nil {
		t.Errorf("it failed: %+v", failed)
	}
	slow := c.start("slow", "y")
	<-d.busy
	for _, of := range append(runAs[client.Runs](c, "/runs?status=running").Runs, runAs[client.Run](c, "/runs/"+slow)) {
		if of.ID != slow || !of.Ended.IsZero() || of.Problem != nil || of.Result != nil {
			t.Errorf("it runs: %+v", of)
		}
	}
	close(d.may)
	c.wait(slow, client.Done)
}
