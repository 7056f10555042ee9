package serve_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// A server that closes stops each run at its next safe point; the next one goes on with it where it stood, and with nothing that
// somebody has ended.
func TestGoingOn(t *testing.T) {
	store := journal.Memory()
	first := newDesk()
	c := served(t, first, serve.Options{Store: store})
	working := []string{c.start("slow", "a"), c.start("slow", "b")}
	<-first.busy
	<-first.busy
	paused, failed, done := c.start("pay", "7"), c.start("fails", "x"), c.start("echo", "x")
	c.wait(paused, client.Paused)
	c.wait(failed, client.Failed)
	c.wait(done, client.Done)
	cancelled := c.start("slow", "c")
	<-first.busy
	for range 2 { // at its next safe point, which does not come; at once
		if reply := c.want(http.StatusAccepted, "POST", "/runs/"+cancelled+"/cancel", nil); reply["status"] == "done" {
			t.Errorf("the run that is cancelled is %v", reply)
		}
	}
	c.wait(cancelled, client.Cancelled)

	closed := make(chan struct{})
	go func() {
		c.server.Close()
		close(closed)
	}()
	for c.want(http.StatusOK, "GET", "/health", nil)["status"] != "closing" {
	}
	c.want(http.StatusServiceUnavailable, "POST", "/runs", args{"agent": "echo", "input": "late"})
	first.may <- struct{}{} // what is under way ends, and is recorded
	first.may <- struct{}{}
	<-closed
	for _, run := range working {
		shown := c.want(http.StatusOK, "GET", "/runs/"+run, nil)
		if problem, _ := shown["problem"].(map[string]any); shown["status"] != "cancelled" || problem["type"] != "ShutdownError" {
			t.Errorf("after the end of the server the run is %v", shown)
		}
	}

	second := newDesk()
	c = served(t, second, serve.Options{Store: store})
	c.server.Recover(context.Background())
	for range working {
		<-second.busy // each does its second half, and not its first
	}
	close(second.may)
	for i, run := range working {
		if result := c.wait(run, client.Done)["result"].(map[string]any); result["value"] != "worked on "+string(rune('a'+i)) {
			t.Errorf("run %s came to %v", run, result)
		}
		seqs(t, c.events(run, ""), 1)
	}
	if len(second.busy) > 0 {
		t.Error("something was done twice")
	}
	for run, status := range map[string]string{paused: "paused", failed: "failed", done: "done", cancelled: "cancelled"} {
		if shown := c.want(http.StatusOK, "GET", "/runs/"+run, nil); shown["status"] != status {
			t.Errorf("a run that was %s is %v", status, shown["status"])
		}
	}
}

// At once is at once: a tool that hangs does not hold it up, and the run is gone on with.
func TestClosingNow(t *testing.T) {
	store := journal.Memory()
	first := newDesk()
	c := served(t, first, serve.Options{Store: store})
	run := c.start("slow", "a")
	<-first.busy
	c.server.CloseNow()

	second := newDesk()
	close(second.may)
	c = served(t, second, serve.Options{Store: store})
	c.server.Recover(context.Background())
	if result := c.wait(run, client.Done)["result"].(map[string]any); result["value"] != "worked on a" {
		t.Errorf("the run came to %v", result)
	}
	if len(second.busy) != 2 {
		t.Errorf("%d calls were made, and not the one that was broken off and the one after it", len(second.busy))
	}
}

// No more runs are at work than there are places: those that are started are refused, those that go on wait.
func TestPlaces(t *testing.T) {
	store := journal.Memory()
	d := newDesk()
	c := served(t, d, serve.Options{Store: store, MaxRuns: 2})
	waiting := c.start("pay", "7")
	c.wait(waiting, client.Paused)
	runs := []string{c.start("slow", "a"), c.start("slow", "b")}
	reply := c.want(http.StatusTooManyRequests, "POST", "/runs", args{"agent": "echo", "input": "x"})
	if reply["type"] != "TooManyRunsError" {
		t.Errorf("the reply is %v", reply)
	}
	reply = c.want(http.StatusOK, "POST", "/runs/"+waiting+"/answers", args{"question": "approve", "value": "yes"})
	if reply["status"] != "queued" {
		t.Errorf("the run that was answered is %v", reply["status"])
	}
	var read sync.WaitGroup
	read.Go(func() { seqs(t, c.events(waiting, ""), 1) }) // who reads it waits with it
	close(d.may)
	for _, run := range append(runs, waiting) {
		c.wait(run, client.Done)
	}
	read.Wait()
}

// A run that is cancelled ends what it is at, and begins nothing more; another server leaves it alone.
func TestCancel(t *testing.T) {
	store, d := journal.Memory(), newDesk()
	c := served(t, d, serve.Options{Store: store})
	run := c.start("slow", "a")
	<-d.busy
	c.want(http.StatusAccepted, "POST", "/runs/"+run+"/cancel", nil)
	d.may <- struct{}{}
	if problem, _ := c.wait(run, client.Cancelled)["problem"].(map[string]any); problem["type"] != "CancelledError" {
		t.Errorf("it is cancelled because of %v", problem)
	}
	next := served(t, d, serve.Options{Store: store})
	next.server.Recover(context.Background())
	next.wait(run, client.Cancelled)
	if len(d.busy) > 0 {
		t.Error("something was begun after the end")
	}
}

// A queued run can be cancelled, and is not worked on then.
func TestCancelQueued(t *testing.T) {
	d := newDesk()
	c := served(t, d, serve.Options{MaxRuns: 1})
	waiting := c.start("pay", "7")
	c.wait(waiting, client.Paused)
	c.start("slow", "a")
	c.want(http.StatusOK, "POST", "/runs/"+waiting+"/answers", args{"question": "approve", "value": "yes"})
	c.want(http.StatusAccepted, "POST", "/runs/"+waiting+"/cancel", nil)
	close(d.may)
	c.wait(waiting, client.Cancelled)
	if d.paid.Load() != 0 {
		t.Error("a run that was cancelled has paid")
	}
	c.want(http.StatusConflict, "POST", "/runs/"+waiting+"/cancel", nil)
	c.want(http.StatusOK, "POST", "/runs/"+waiting+"/resume", args{})
	c.wait(waiting, client.Done)
	if d.paid.Load() != 1 {
		t.Error("a cancelled run that was resumed has not paid")
	}
}

// Many clients start, read, answer and list at once, while servers come and go.
func TestManyClients(t *testing.T) {
	const clients, each = 16, 4
	store := journal.Memory()
	d := newDesk()
	c := served(t, d, serve.Options{Store: store})
	var group sync.WaitGroup
	for i := range clients {
		group.Go(func() {
			for n := range each {
				run := c.start("pay", fmt.Sprint(i, "-", n))
				c.wait(run, client.Paused)
				c.want(http.StatusOK, "GET", "/runs?status=paused&limit=5", nil)
				c.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes"})
				events := c.events(run, "")
				seqs(t, events, 1)
				if last := events[len(events)-1]; last["status"] != "done" {
					t.Errorf("run %s ended with %v", run, last)
				}
			}
		})
	}
	group.Wait()
	if paid := d.paid.Load(); paid != clients*each {
		t.Errorf("%d of %d runs are paid", paid, clients*each)
	}
	seen, before := 0, ""
	for {
		list := c.want(http.StatusOK, "GET", "/runs?status=done&limit=7"+before, nil)
		seen += len(list["runs"].([]any))
		next, more := list["next"].(string)
		if !more {
			break
		}
		before = "&before=" + next
	}
	if seen != clients*each {
		t.Errorf("the list has %d runs", seen)
	}
}

// A request that is repeated with the same id starts nothing twice.
func TestSameRun(t *testing.T) {
	d := newDesk()
	c := served(t, d, serve.Options{})
	body := args{"agent": "slow", "input": "a", "run": "my-run_1"}
	c.want(http.StatusCreated, "POST", "/runs", body)
	if reply := c.want(http.StatusConflict, "POST", "/runs", body); reply["type"] != "RunExistsError" {
		t.Errorf("while it is at work: %v", reply)
	}
	close(d.may)
	c.wait("my-run_1", client.Done)
	if reply := c.want(http.StatusConflict, "POST", "/runs", body); reply["type"] != "RunExistsError" {
		t.Errorf("when it is done: %v", reply)
	}
}

func TestContext(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	body := args{"agent": "letter", "input": "x", "context": args{"to": "Ada"}}
	run := c.want(http.StatusCreated, "POST", "/runs", body)["run"].(string)
	shown := c.wait(run, client.Done)
	if to := shown["context"].(map[string]any)["to"]; to != "Ada" || shown["result"].(map[string]any)["value"] != `x{"to":"Ada"}` {
		t.Errorf("the run is %v", shown)
	}
	if final, _ := shown["result"].(map[string]any)["context"].(map[string]any); final["to"] != "Ada" {
		t.Errorf("the final context is %v", final)
	}
	events := c.events(run, "")
	if final, _ := events[len(events)-1]["context"].(map[string]any); final["to"] != "Ada" {
		t.Errorf("the last event is %v", events[len(events)-1])
	}
	again := c.want(http.StatusOK, "POST", "/runs/"+run+"/resume", args{})
	if !reflect.DeepEqual(again["result"], shown["result"]) {
		t.Errorf("a run that is done has, when it is resumed, %v", again["result"])
	}
}

// A signal gets to the machine that has a rule for it; one that nobody has a rule for is not taken.
func TestSignals(t *testing.T) {
	d := newDesk()
	c := served(t, d, serve.Options{})
	run := c.start("signals", "x")
	<-d.busy
	c.want(http.StatusAccepted, "POST", "/runs/"+run+"/signals", args{"kind": "user-message", "value": "hurry"})
	c.want(http.StatusConflict, "POST", "/runs/"+run+"/signals", args{"kind": "other"})
	c.want(http.StatusBadRequest, "POST", "/runs/"+run+"/signals", args{"kind": ""})
	close(d.may)
	if result := c.wait(run, client.Done)["result"].(map[string]any); result["value"] != "heard hurry" {
		t.Errorf("the run is %v", result)
	}
	c.want(http.StatusConflict, "POST", "/runs/"+run+"/signals", args{"kind": "user-message"})
}

// A copy with another reply becomes another run; the run that it is a copy of stays.
func TestForks(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	run := c.start("pay", "7")
	c.wait(run, client.Paused)
	at := c.want(http.StatusOK, "GET", "/runs/"+run, nil)["questions"].([]any)[0].(map[string]any)["address"]
	c.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes"})
	c.wait(run, client.Done)

	reply := c.want(http.StatusCreated, "POST", "/runs/"+run+"/forks", args{"at": at})
	fork := reply["run"].(string)
	if reply["forked_from"] != run || fork == run {
		t.Errorf("the copy is %v", reply)
	}
	c.wait(fork, client.Paused)
	c.want(http.StatusOK, "POST", "/runs/"+fork+"/answers", args{"question": "approve", "value": "no"})
	if result := c.wait(fork, client.Done)["result"].(map[string]any); result["value"] != "no" {
		t.Errorf("the copy came to %v", result)
	}
	if result := c.wait(run, client.Done)["result"].(map[string]any); result["value"] != "paid" {
		t.Errorf("the run is now %v", result)
	}
	c.want(http.StatusUnprocessableEntity, "POST", "/runs/"+run+"/forks", args{"at": "99"})

	// What an edited program does as the run did is not done again.
	reply = c.want(http.StatusCreated, "POST", "/runs/"+run+"/forks", args{"changed": true})
	if result := c.wait(reply["run"].(string), client.Done)["result"].(map[string]any); result["value"] != "paid" || c.desk.paid.Load() != 1 {
		t.Errorf("the copy resulted in %v, paid %d times", result, c.desk.paid.Load())
	}
	c.want(http.StatusBadRequest, "POST", "/runs/"+run+"/forks", args{"changed": true, "at": at})
}

// A program of another shape does not go on with a run unless it is forced to.
func TestAnotherShape(t *testing.T) {
	store := journal.Memory()
	c := served(t, newDesk(), serve.Options{Store: store})
	run := c.start("pay", "7")
	c.wait(run, client.Paused)

	d := newDesk()
	other := d.program()
	other.Shape = "s2"
	c = servedProgram(t, d, other, serve.Options{Store: store})
	reply := c.want(http.StatusConflict, "POST", "/runs/"+run+"/resume", args{})
	message, _ := reply["message"].(string)
	if reply["type"] != "ShapeError" || !strings.Contains(message, "s1") || !strings.Contains(message, `{"force_shape": true}`) {
		t.Errorf("the reply is %v", reply)
	}
	if again := c.want(http.StatusConflict, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes"}); again["message"] != message {
		t.Errorf("an answer is refused: %v", again)
	}
	c.want(http.StatusOK, "POST", "/runs/"+run+"/resume", args{"force_shape": true})
	c.wait(run, client.Paused)

	other.Name = "other"
	c = servedProgram(t, d, other, serve.Options{Store: store})
	c.want(http.StatusConflict, "POST", "/runs/"+run+"/resume", args{})
}

// A run whose model cannot be had any more does not go on, and says so; it can be gone on with later.
func TestMissingModel(t *testing.T) {
	store := journal.Memory()
	c := served(t, newDesk(), serve.Options{Store: store})
	run := c.start("pay", "7")
	c.wait(run, client.Paused)

	d := newDesk()
	p := d.program()
	for i := range p.Agents {
		p.Agents[i].Model = &model.Choice{Name: "nobody:model"}
	}
	without := servedProgram(t, d, p, serve.Options{Store: store, Engine: engine.Options{Env: os.LookupEnv}})
	reply := without.want(http.StatusUnprocessableEntity, "POST", "/runs/"+run+"/resume", args{})
	if reply["type"] != "MissingProviderError" {
		t.Errorf("the reply is %v", reply)
	}
	without.want(http.StatusUnprocessableEntity, "POST", "/runs", args{"agent": "pay", "input": "x"})
	reply = without.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes"})
	if problem, _ := reply["problem"].(map[string]any); problem["type"] != "MissingProviderError" ||
		!strings.HasPrefix(problem["message"].(string), "the answer is recorded, but the run is not resumed: ") {
		t.Errorf("the answer is recorded, and the run is %v", reply)
	}
	c.server.Recover(context.Background())
	c.wait(run, client.Done)
}

// A call that was interrupted is a question like any other: with its arguments, to be answered with its result. A run that waits for
// such an answer is left alone by each server that starts.
func TestInterruptedCalls(t *testing.T) {
	store := journal.Memory()
	first := newDesk()
	first.once = true
	c := served(t, first, serve.Options{Store: store})
	run := c.start("slow", "a")
	<-first.busy
	c.server.CloseNow()

	for range 3 {
		d := newDesk()
		d.once = true
		c = served(t, d, serve.Options{Store: store})
		c.server.Recover(context.Background())
		c.wait(run, client.Paused)
		c.server.CloseNow()
	}
	processes := 0
	j, err := journal.Read(t.Context(), store, run)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range j.Records {
		if r.Type == journal.Opened {
			processes++
		}
	}
	if processes != 1 {
		t.Errorf("%d processes have resumed the run", processes)
	}

	last := newDesk()
	last.once = true
	c = served(t, last, serve.Options{Store: store})
	questions := c.want(http.StatusOK, "GET", "/runs/"+run, nil)["questions"].([]any)
	if len(questions) != 1 {
		t.Fatalf("the questions are %v", questions)
	}
	question := questions[0].(map[string]any)
	effect := question["effect"].(map[string]any)
	if question["question"] != "unknown:work" || fmt.Sprint(question["choices"]) != "[again skip fail done VALUE]" ||
		effect["name"] != "work" || effect["kind"] != "function" || fmt.Sprint(effect["args"]) != "map[input:a]" ||
		effect["idempotency_key"] != run+"/"+fmt.Sprint(effect["address"]) || effect["address"] != question["address"] {
		t.Errorf("the question is %v", question)
	}
	pauses := 0
	for _, e := range c.events(run, "") {
		if e["event"] == "pause" && e["question"] == "unknown:work" && fmt.Sprint(e["effect"]) == fmt.Sprint(effect) {
			pauses++
		}
	}
	if pauses != 1 {
		t.Errorf("%d events say that the run waits", pauses)
	}
	close(last.may)
	reply := c.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": "unknown:work", "value": args{"done": "done by hand"}})
	if reply["problem"] != nil {
		t.Errorf("the answer had the run %v", reply)
	}
	c.wait(run, client.Done)
	if len(last.busy) != 1 {
		t.Errorf("%d calls were made, and not only the one after the interrupted one", len(last.busy))
	}
}

// A fork is a run of who has made it, and so is the reply that it was given; the log has both.
func TestForksNameTheirAuthor(t *testing.T) {
	log := &written{}
	tokens := "starter=starter-0123456789abcdef boss=boss-0123456789abcdef"
	c := served(t, newDesk(), serve.Options{Caller: lookup(t, tokens), Log: slog.New(slog.NewTextHandler(log, nil))})
	c.token = "starter-0123456789abcdef"
	run := c.start("pay", "7")
	c.wait(run, client.Paused)
	at := c.want(http.StatusOK, "GET", "/runs/"+run, nil)["questions"].([]any)[0].(map[string]any)["address"]
	c.token = "boss-0123456789abcdef"
	fork := c.want(http.StatusCreated, "POST", "/runs/"+run+"/forks", args{"at": at, "reply": "yes"})["run"].(string)
	done := c.wait(fork, client.Done)
	answer := done["answers"].([]any)[0].(map[string]any)
	if done["by"] != "boss" || answer["by"] != "boss" {
		t.Errorf("the fork is a run by %v, the reply is by %v", done["by"], answer["by"])
	}
	if shown := c.want(http.StatusOK, "GET", "/runs/"+run, nil); shown["by"] != "starter" {
		t.Errorf("the run itself is by %v", shown["by"])
	}
	for _, line := range []string{`msg="run forked" run=` + fork + " from=" + run, `msg="run resumed" run=` + fork} {
		_, rest, found := strings.Cut(log.text.String(), line)
		if rest, _, _ = strings.Cut(rest, "\n"); !found || !strings.HasSuffix(rest, "by=boss") {
			t.Errorf("no line %s with by=boss:\n%s", line, log.text.String())
		}
	}
}

// A fork with "resume": false waits for a request, whichever server finds it.
func TestForksStayPaused(t *testing.T) {
	store := journal.Memory()
	c := served(t, newDesk(), serve.Options{Store: store})
	run := c.start("pay", "7")
	c.wait(run, client.Paused)
	at := c.want(http.StatusOK, "GET", "/runs/"+run, nil)["questions"].([]any)[0].(map[string]any)["address"]
	c.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes"})
	c.wait(run, client.Done)
	next := served(t, newDesk(), serve.Options{Store: store})
	for _, body := range []args{{"at": at, "reply": "no", "resume": false}, {"changed": true, "resume": false}} {
		reply := c.want(http.StatusCreated, "POST", "/runs/"+run+"/forks", body)
		fork := reply["run"].(string)
		for range 3 {
			c.server.Recover(t.Context())
			next.server.Recover(t.Context())
		}
		if shown := c.want(http.StatusOK, "GET", "/runs/"+fork, nil); reply["status"] != "paused" || shown["status"] != "paused" {
			t.Errorf("the fork is %v, then %v", reply["status"], shown["status"])
		}
		next.want(http.StatusOK, "POST", "/runs/"+fork+"/resume", args{})
		next.wait(fork, client.Done)
	}
}
