package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/examples/service/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// process is the service as a process that can be killed.
type process struct {
	*testing.T
	binary, data, url string
	cmd               *exec.Cmd
	log               *bytes.Buffer
}

// newProcess builds the service and starts it on a folder of its own.
func newProcess(t *testing.T) *process {
	t.Helper()
	dir := t.TempDir()
	p := &process{T: t, binary: filepath.Join(dir, "service.exe"), data: filepath.Join(dir, "data")}
	build(t, p.binary)
	p.start()
	t.Cleanup(func() { p.kill() }) // the last one that was started

	return p
}

func build(t *testing.T, binary string) {
	t.Helper()
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}

// freeAddress is an address on which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer free.Close()

	return free.Addr().String()
}

func (p *process) start() {
	p.Helper()
	address := freeAddress(p.T)
	p.url, p.log = "http://"+address, &bytes.Buffer{}
	p.cmd = exec.Command(p.binary, "-addr", address, "-data", p.data)
	p.cmd.Stderr = p.log
	if err := p.cmd.Start(); err != nil {
		p.Fatal(err)
	}
	p.until("the service listens", func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

// kill ends the process as a crash does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it has ended
	_ = p.cmd.Wait()         // by the kill
}

func (p *process) until(what string, holds func() bool) {
	p.Helper()
	for range 3000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.Fatalf("it never happened that %s\n%s", what, p.log)
}

// call sends a request and returns the status and the body.
func (p *process) call(method, path, body string) (int, string) {
	p.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return 0, err.Error()
	}

	return reply.StatusCode, string(text)
}

func (p *process) ticket(id string) (t ticket) {
	p.Helper()
	if status, body := p.call("GET", "/tickets/"+id, ""); status == http.StatusOK {
		if err := json.Unmarshal([]byte(body), &t); err != nil {
			p.Fatal(err)
		}
	}

	return t
}

// awaits waits until a ticket has a status, and a text in what is asked or answered.
func (p *process) awaits(id string, status client.Status, text string) {
	p.Helper()
	p.until(fmt.Sprintf("ticket %s is %s with %q, it is %+v", id, status, text, p.ticket(id)), func() bool {
		t := p.ticket(id)
		return t.Status == status && strings.Contains(t.Asks+t.Answer, text)
	})
}

// post posts a ticket.
func (p *process) post(id string) {
	p.Helper()
	status, body := p.call("POST", "/tickets", `{"id": "`+id+`", "question": "A-1042 was charged twice."}`)
	if status != http.StatusCreated {
		p.Fatalf("%d %s", status, body)
	}
}

// yes is the answer to the question of a ticket.
const yes = `{"question": "pay_back", "value": "yes", "by": "ann"}`

// refunds counts the rows of the table.
func (p *process) refunds() (n int) {
	p.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.data, "shop.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		p.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(`SELECT COUNT(*) FROM refunds`).Scan(&n); err != nil {
		p.Fatal(err)
	}

	return n
}

// TestThreeLines: what a program needs to run an agent.
func TestThreeLines(t *testing.T) {
	dir := t.TempDir()
	db, err := openDatabase(filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx, runs, question := t.Context(), filepath.Join(dir, "runs"), "A-1042 was charged twice."

	app := agents.New(orders{db})                                 // forget a tool, and it does not compile
	eng := engine.New(engine.Options{Store: journal.Files(runs)}) // each step is kept before and after it is done
	_, err = app.Desk(ctx, eng, question)                         // a key and a text come out, or what went wrong

	var paused *runtime.PausedError
	if !errors.As(err, &paused) || paused.Question.ID != "pay_back" {
		t.Errorf("it ends with %v", err)
	}
}

// TestSession: the session of the page prints what the page says.
func TestSession(t *testing.T) {
	for _, tool := range []string{"sh", "curl", "grep"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s", tool)
		}
	}
	want, err := os.ReadFile("session.txt")
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("session.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	build(t, filepath.Join(dir, "service"))
	session := exec.Command("sh", script)
	session.Dir, session.Env = dir, append(os.Environ(), "ADDR="+freeAddress(t))
	var errs bytes.Buffer
	session.Stderr = &errs
	if out, err := session.Output(); err != nil || string(out) != string(want) {
		t.Errorf("the session ends with %v and prints\n%s%s", err, out, &errs)
	}
}

const question = "pay_back"

// TestKilledWhileAPersonThinks: the question outlives the process, and what is approved is paid once.
func TestKilledWhileAPersonThinks(t *testing.T) {
	p := newProcess(t)
	const id = "t1"
	p.post(id)
	p.awaits(id, client.Paused, question)
	p.kill()
	p.start()
	p.awaits(id, client.Paused, question)
	if status, body := p.call("GET", "/tickets?status=paused", ""); status != http.StatusOK || !strings.Contains(body, question) {
		t.Errorf("what waits for a person: %d %s", status, body)
	}

	answer := "/tickets/" + id + "/answer"
	perhaps := strings.ReplaceAll(yes, "yes", "perhaps")
	if status, body := p.call("POST", answer, perhaps); status != http.StatusUnprocessableEntity {
		t.Errorf("an answer that is no choice: %d %s", status, body)
	}
	if status, body := p.call("POST", answer, yes); status != http.StatusAccepted {
		t.Errorf("the answer: %d %s", status, body)
	}
	p.awaits(id, client.Done, "19.99")
	if status, body := p.call("POST", answer, strings.ReplaceAll(yes, "ann", "bob")); status != http.StatusConflict {
		t.Errorf("a second answer: %d %s", status, body)
	}
	if n := p.refunds(); n != 1 {
		t.Errorf("it was paid %d times", n)
	}
	if status, body := p.call("GET", "/agents/runs/"+id, ""); status != http.StatusOK || !strings.Contains(body, `"done"`) {
		t.Errorf("what operators see of the run: %d %s", status, body)
	}
}

// TestBadRequests: what cannot be used is refused, and nothing runs.
func TestBadRequests(t *testing.T) {
	p := newProcess(t)
	for _, c := range []struct {
		method, path, body string
		want               int
	}{
		{"POST", "/tickets", `{`, http.StatusBadRequest},
		{"POST", "/tickets", `{}`, http.StatusBadRequest},
		{"POST", "/tickets", `{"question": "` + strings.Repeat("x", 70_000) + `"}`, http.StatusBadRequest},
		{"GET", "/tickets/7", "", http.StatusNotFound},
		{"GET", "/tickets/x", "", http.StatusNotFound},
		{"POST", "/tickets", `{"id": "../x", "question": "x"}`, http.StatusUnprocessableEntity},
		{"GET", "/tickets?status=happy", "", http.StatusBadRequest},
		{"POST", "/tickets/7/answer", yes, http.StatusNotFound},
		{"POST", "/agents/runs", `{"input": "x"}`, http.StatusMethodNotAllowed},
	} {
		if status, body := p.call(c.method, c.path, c.body); status != c.want {
			t.Errorf("%s %s: %d %s, want %d", c.method, c.path, status, body, c.want)
		}
	}
}

// TestKilledAtRandom: whenever the process dies, each ticket is answered and paid once in the end.
func TestKilledAtRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("kills 40 processes")
	}
	p := newProcess(t)
	var tickets []string
	answerWaiting := func(id string) ticket {
		now := p.ticket(id)
		if now.Status == client.Paused && now.Asks != "" {
			p.call("POST", "/tickets/"+id+"/answer", yes)
		}

		return now
	}
	for round := range 40 {
		id := fmt.Sprintf("t%d", round)
		p.post(id)
		for _, id := range append(tickets, id) {
			answerWaiting(id)
		}
		tickets = append(tickets, id)
		random := rand.New(rand.NewPCG(uint64(round), 1))
		time.Sleep(time.Duration(random.IntN(30)) * time.Millisecond)
		p.kill()
		p.start()
	}
	for _, id := range tickets {
		p.until(fmt.Sprintf("ticket %s is answered, it is %+v", id, p.ticket(id)), func() bool {
			now := answerWaiting(id)
			if now.Status == client.Failed {
				t.Fatalf("%+v", now)
			}
			return now.Status == client.Done
		})
	}
	if n := p.refunds(); n != len(tickets) {
		t.Errorf("%d tickets were paid %d times", len(tickets), n)
	}
}
