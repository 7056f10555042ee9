package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// broken makes the journal of a run of the desk whose process died, and that was recovered so often since.
func broken(t *testing.T, store journal.Store, run, agent string, recoveries int, end ...journal.Record) {
	t.Helper()
	at := time.Now().Add(-time.Hour).UTC()
	field := func(name, value string) journal.Field { return journal.Field{Name: name, Value: value} }
	w, err := journal.Create(t.Context(), store, run, journal.Record{Time: at, Name: run, Fields: []journal.Field{
		field("program", "desk"), field("agent", agent), field("input", "7"), field("shape", "s1"), field("text", "t1"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for range recoveries {
		at = at.Add(time.Minute)
		w.Append(journal.Record{Type: journal.Opened, Time: at, Fields: []journal.Field{
			field("shape", "s1"), field("text", "t1"), field("recovery", "true"),
		}})
	}
	for _, r := range end {
		w.Append(r)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// A run that was recovered too often is quarantined, in the list, by its status and alone; what may be done about it is what may be done
// about one that has failed.
func TestQuarantined(t *testing.T) {
	store := journal.Memory()
	for _, run := range []string{"a", "b", "c"} {
		broken(t, store, run, "pay", serve.DefaultMaxRecoveries)
	}
	broken(t, store, "less", "echo", serve.DefaultMaxRecoveries-1)
	c := served(t, newDesk(), serve.Options{Store: store})
	c.server.Recover(t.Context())
	c.wait("less", client.Done)
	for _, run := range []string{"a", "b", "c"} {
		shown := c.want(http.StatusOK, "GET", "/runs/"+run, nil)
		problem, _ := shown["problem"].(map[string]any)
		if shown["status"] != "quarantined" || len(shown["recoveries"].([]any)) != serve.DefaultMaxRecoveries || problem["type"] != "QuarantinedError" ||
			!strings.Contains(problem["message"].(string), "5 times") {
			t.Errorf("the run is %v", shown)
		}
	}
	if list := c.want(http.StatusOK, "GET", "/runs?status=quarantined", nil)["runs"].([]any); len(list) != 3 {
		t.Errorf("the list has %v", list)
	}
	if events := c.events("a", ""); len(events) != 1 || events[0]["status"] != "quarantined" {
		t.Errorf("its events are %v", events)
	}
	c.server.Recover(t.Context()) // nothing comes of looking again
	c.want(http.StatusOK, "POST", "/runs/a/resume", args{})
	c.wait("a", client.Paused)
	c.want(http.StatusAccepted, "POST", "/runs/b/cancel", nil)
	c.wait("b", client.Cancelled)
	if shown := c.want(http.StatusOK, "GET", "/runs/c", nil); shown["status"] != "quarantined" {
		t.Errorf("the run is %v", shown)
	}
}

// A setting allows more recoveries, and with it a run waits that was recovered just now.
func TestRecoverySettings(t *testing.T) {
	store := journal.Memory()
	broken(t, store, "a", "echo", 7)
	c := served(t, newDesk(), serve.Options{Store: store, MaxRecoveries: 8, RecoveryWait: 10 * time.Hour})
	c.server.Recover(t.Context())
	if shown := c.want(http.StatusOK, "GET", "/runs/a", nil); shown["status"] == "interrupted" {
		t.Errorf("an hour is longer than the longest wait, and the run is %v", shown["status"])
	}
	broken(t, store, "b", "echo", 1, journal.Record{
		Type: journal.Opened, Time: time.Now().UTC(), Fields: []journal.Field{{Name: "shape", Value: "s1"}, {Name: "recovery", Value: "true"}},
	})
	c.server.Recover(t.Context())
	if shown := c.want(http.StatusOK, "GET", "/runs/b", nil); shown["status"] != "interrupted" {
		t.Errorf("the run waits 5 minutes from now on, and is %v", shown["status"])
	}
}

// Runs that were recovered without progress are resumed one at a time, after those that were not: those that were recovered less often
// before the others and, of two that were as often, the one that was resumed later.
func TestSuspectsOneAtATime(t *testing.T) {
	store, d := journal.Memory(), newDesk()
	broken(t, store, "a-three", "slow", 3)
	broken(t, store, "b-one", "slow", 1)
	broken(t, store, "c-none", "slow", 0)
	broken(t, store, "d-two", "slow", 2)
	c := served(t, d, serve.Options{Store: store, Rescan: time.Millisecond})
	ctx, stop := context.WithCancel(t.Context())
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		c.server.Watch(ctx)
	}()
	defer func() {
		stop()
		<-watching
	}()
	var order []string
	for range 4 {
		<-d.busy
		for id, run := range listed(c) {
			if run["status"] == "running" && !slices.Contains(order, id) {
				order = append(order, id)
			}
		}
		d.may <- struct{}{} // the first half of the run, and the second
		<-d.busy
		d.may <- struct{}{}
		c.wait(order[len(order)-1], client.Done)
	}
	if want := []string{"c-none", "b-one", "d-two", "a-three"}; !slices.Equal(order, want) {
		t.Errorf("the order is %v, want %v", order, want)
	}
}

// What has failed, waits or was cancelled is not taken up, nor is what another process works on, whatever a server sees.
func TestLeftAlone(t *testing.T) {
	store, d := newReadStore(t), newDesk()
	end := func(status, kind string) journal.Record {
		return journal.Record{Type: journal.End, Name: status, Fields: []journal.Field{{Name: "error_type", Value: kind}}}
	}
	broken(t, store, "failed", "echo", 1, end("failed", "StepLimitError"))
	broken(t, store, "cancelled", "echo", 1, end("cancelled", "CancelledError"))
	broken(t, store, "closed", "echo", 1, end("cancelled", "ShutdownError"))
	broken(t, store, "owned", "echo", 1)
	_, w, err := journal.Open(t.Context(), store, "owned")
	if err != nil {
		t.Fatal(err)
	}
	c := served(t, d, serve.Options{Store: store})
	c.server.Recover(t.Context())
	c.wait("closed", client.Done)
	for run, status := range map[string]string{"failed": "failed", "cancelled": "cancelled", "owned": "interrupted"} {
		if shown := c.want(http.StatusOK, "GET", "/runs/"+run, nil); shown["status"] != status {
			t.Errorf("run %s is %v", run, shown["status"])
		}
	}
	if err := w.Close(); err != nil { // its process dies
		t.Fatal(err)
	}
	c.server.Recover(t.Context())
	c.wait("owned", client.Done)

	// An answer with "resume": false leaves the run paused, whichever server finds it, until a request resumes it.
	waiting := c.start("pay", "7")
	c.wait(waiting, client.Paused)
	c.want(http.StatusOK, "POST", "/runs/"+waiting+"/answers", args{"question": "approve", "value": "yes", "resume": false})
	next := served(t, newDesk(), serve.Options{Store: store})
	for range 3 {
		c.server.Recover(t.Context())
		next.server.Recover(t.Context())
	}
	if shown := c.want(http.StatusOK, "GET", "/runs/"+waiting, nil); shown["status"] != "paused" {
		t.Errorf("the run is %v", shown["status"])
	}
	next.want(http.StatusOK, "POST", "/runs/"+waiting+"/resume", args{})
	next.wait(waiting, client.Done)
}

// The server that took an answer dies before it uses it. Another server, which has searched the store before, resumes
// the run, and nothing is started again.
func TestAnotherServerUsesAnAnswer(t *testing.T) {
	store := journal.Memory()
	live := served(t, newDesk(), serve.Options{Store: store, Rescan: time.Millisecond})
	live.server.Recover(t.Context())
	run := live.start("pay", "7")
	live.wait(run, client.Paused)
	live.server.Recover(t.Context())

	d := newDesk()
	dead := engine.New(engine.Options{Store: store})
	if err := dead.Answer(t.Context(), d.program(), run, "approve", "yes", "ada"); err != nil {
		t.Fatal(err)
	}
	live.server.Recover(t.Context())
	if shown := live.want(http.StatusOK, "GET", "/runs/"+run, nil); shown["status"] != "paused" {
		t.Errorf("the server that took the answer gets no time to resume the run: it is %v", shown["status"])
	}
	time.Sleep(2 * time.Millisecond)
	live.server.Recover(t.Context())
	live.wait(run, client.Done)
	if paid := live.desk.paid.Load(); paid != 1 {
		t.Errorf("it is paid %d times", paid)
	}
}

// Many people answer at two servers at the same time. One answer is accepted, and the run ends without a restart.
func TestAnswersAtTwoServers(t *testing.T) {
	const people, runs = 20, 10
	store := journal.Memory()
	var servers [2]*visitor
	for i := range servers {
		servers[i] = served(t, newDesk(), serve.Options{Store: store, Rescan: 10 * time.Millisecond})
		ctx, stop := context.WithCancel(t.Context())
		var watching sync.WaitGroup
		watching.Go(func() { servers[i].server.Watch(ctx) })
		t.Cleanup(watching.Wait)
		t.Cleanup(stop)
	}
	for range runs {
		run := servers[0].start("pay", "7")
		servers[0].wait(run, client.Paused)
		var accepted atomic.Int32
		var group sync.WaitGroup
		for i := range people {
			group.Go(func() {
				body := args{"question": "approve", "value": "yes", "by": fmt.Sprint("person-", i)}
				switch status, reply := servers[i%2].do("POST", "/runs/"+run+"/answers", body); status {
				case http.StatusOK:
					accepted.Add(1)
				case http.StatusConflict:
				default:
					t.Errorf("status %d: %v", status, reply)
				}
			})
		}
		group.Wait()
		if accepted.Load() != 1 {
			t.Errorf("%d answers were accepted", accepted.Load())
		}
		servers[1].wait(run, client.Done)
	}
	if paid := servers[0].desk.paid.Load() + servers[1].desk.paid.Load(); paid != runs {
		t.Errorf("it is paid %d times for %d runs", paid, runs)
	}
}

// Journals that have not changed are not read again, however often the store is looked through.
func TestLookingReadsWhatHasChanged(t *testing.T) {
	const runs = 300
	store := newReadStore(t)
	for i := range runs {
		broken(t, store, fmt.Sprintf("r%04d", i), "echo", 0, journal.Record{Type: journal.End, Name: []string{"done", "failed", "quarantined"}[i%3]})
	}
	broken(t, store, "other", "nobody", 0) // an agent that the program does not have: it is asked for once
	c := served(t, newDesk(), serve.Options{Store: store})
	c.server.Recover(t.Context())
	read := store.reads.Load()
	if read < runs {
		t.Fatalf("only %d of %d journals were read", read, runs)
	}
	for range 20 {
		c.server.Recover(t.Context())
	}
	if again := store.reads.Load() - read; again > 0 {
		t.Errorf("%d journals were read again", again)
	}
}

// BenchmarkLook is a look through a store of 10,000 runs that have ended.
func BenchmarkLook(b *testing.B) {
	store := journal.Files(b.TempDir())
	for i := range 10_000 {
		w, err := journal.Create(b.Context(), store, fmt.Sprintf("r%05d", i), journal.Record{Name: "x"})
		if err != nil {
			b.Fatal(err)
		}
		w.Append(journal.Record{Type: journal.End, Name: "failed"})
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	s := serve.New(serve.Options{Program: newDesk().program(), Store: store})
	s.Recover(b.Context())
	for b.Loop() {
		s.Recover(b.Context())
	}
}
