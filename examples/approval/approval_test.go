package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// build builds the binary into a folder of its own.
func build(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "refund"+exe()), ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}

	return dir
}

func exe() string {
	if os.PathSeparator == '\\' {
		return ".exe"
	}

	return ""
}

// address is one that nobody listens on.
func address(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()

	return l.Addr().String()
}

// The session of the page does what the page says.
func TestSession(t *testing.T) {
	for _, tool := range []string{"sh", "curl", "grep", "cut", "uniq"} {
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
	session := exec.Command("sh", script)
	session.Dir = build(t)
	session.Env = append(os.Environ(), "ADDR="+address(t), "AGENTC_STORE=")
	var errs bytes.Buffer
	session.Stderr = &errs
	out, err := session.Output()
	if err != nil || string(out) != string(want) {
		t.Errorf("the session ends with %v and prints\n%s%s", err, out, &errs)
	}
}

// server is the binary that serves, and is killed.
type server struct {
	*testing.T
	dir, url string
	cmd      *exec.Cmd
}

// start starts it and waits until it answers.
func (s *server) start() {
	s.Helper()
	s.cmd = exec.Command(filepath.Join(s.dir, "refund"+exe()), "serve", "--addr", strings.TrimPrefix(s.url, "http://"))
	s.cmd.Dir = s.dir
	s.cmd.Env = append(os.Environ(), "AGENTC_STORE=")
	if err := s.cmd.Start(); err != nil {
		s.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if status, _ := s.call("GET", "/health", ""); status == http.StatusOK {
			return
		}
		if time.Now().After(end) {
			s.Fatal("the server does not answer")
		}
	}
}

// kill kills it, as a crash would.
func (s *server) kill() {
	s.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		s.Error(err)
	}
	_ = s.cmd.Wait() // it says that it was killed
}

// interrupt ends it as a person does who waits until it has come to its end.
func (s *server) interrupt() {
	s.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		s.Error(err)
	}
	if err := s.cmd.Wait(); err != nil {
		s.Errorf("after an interrupt the server ends with %v", err)
	}
}

// end kills it or, every third time, interrupts it, where a system can.
func (s *server) end(times int) {
	s.Helper()
	if times%3 == 2 && os.PathSeparator == '/' {
		s.interrupt()
	} else {
		s.kill()
	}
}

// call is 0 if the server is gone.
func (s *server) call(method, path, body string) (status int, reply map[string]any) {
	r, err := http.NewRequestWithContext(s.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.Error(err)
		return 0, nil
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || json.Unmarshal(text, &reply) != nil {
		return 0, nil
	}

	return response.StatusCode, reply
}

// finish has a run go on, and reports whether it is done: a server may die with an answer, or before the reply comes.
func (s *server) finish(run string) bool {
	_, shown := s.call("GET", "/runs/"+run, "")
	switch questions, _ := shown["questions"].([]any); {
	case shown["status"] == "done":
		return true
	case shown["status"] == "paused" && len(questions) > 0:
		s.call("POST", "/runs/"+run+"/answers", `{"question": "approve", "value": "{\"approved\": true}"}`)
	case shown["status"] == "interrupted" || shown["status"] == "quarantined":
		s.call("POST", "/runs/"+run+"/resume", `{}`) // by itself a server waits longer and longer with a run that keeps dying
	}

	return false
}

// Whenever a server is killed or interrupted while it pays, each run is paid once in the end.
func TestKilledWhilePaying(t *testing.T) {
	const runs = 24
	s := &server{T: t, dir: build(t), url: "http://" + address(t)}
	s.start()
	for i := range runs {
		body := fmt.Sprintf(`{"run": "case-%d", "input": "A-1042 was charged twice."}`, i)
		if status, reply := s.call("POST", "/runs", body); status != http.StatusCreated {
			t.Fatalf("status %d: %v", status, reply)
		}
	}

	random := rand.New(rand.NewPCG(7, 7))
	kills := 0
	for done := 0; done < runs; kills++ {
		if kills == 200 {
			t.Fatalf("after %d kills %d runs are done", kills, done)
		}
		killed := make(chan struct{})
		life := 40 << (kills / 30) // longer and longer: on a busy machine a server does nothing in a few milliseconds
		go func() {
			defer close(killed)
			time.Sleep(time.Duration(random.IntN(life)) * time.Millisecond)
			s.end(kills)
		}()
		done = s.finishAll(runs, killed)
		<-killed
		s.start()
	}
	s.kill()
	t.Logf("%d kills", kills)

	paid := s.ledger()
	if len(paid) != runs {
		t.Errorf("%d payments for %d runs", len(paid), runs)
	}
	for i := range runs {
		count := 0
		for _, p := range paid {
			if strings.HasPrefix(p.Key, fmt.Sprintf("case-%d/", i)) {
				count++
			}
		}
		if count != 1 {
			t.Errorf("case-%d is paid %d times", i, count)
		}
	}
}

// finishAll works on all runs until they are done, or the server is killed, and returns how many are done.
func (s *server) finishAll(runs int, killed <-chan struct{}) (done int) {
	var mu sync.Mutex
	var group sync.WaitGroup
	for i := range runs {
		group.Go(func() {
			for {
				if s.finish(fmt.Sprintf("case-%d", i)) {
					mu.Lock()
					defer mu.Unlock()
					done++
					return
				}
				select {
				case <-killed:
					return
				case <-time.After(time.Millisecond):
				}
			}
		})
	}
	group.Wait()

	return done
}

// ledger reads all payments.
func (s *server) ledger() (all []payment) {
	s.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "ledger.jsonl"))
	if err != nil {
		s.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var p payment
		if err := json.Unmarshal(line, &p); err != nil {
			s.Fatalf("%s: %v", line, err)
		}
		all = append(all, p)
	}

	return all
}

// A line whose writing was interrupted may be the payment that is asked for: nothing is paid.
func TestTornPayment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	torn := `{"key":"case-1/7","order":"A-1042","cents":1900}` + "\n" + `{"key":"case-2/7","or`
	if err := os.WriteFile(path, []byte(torn), 0o600); err != nil {
		t.Fatal(err)
	}
	l := &ledger{path: path}
	if paid, err := l.paid("case-1/7"); !paid || err != nil {
		t.Errorf("a payment before the torn line: %v, %v", paid, err)
	}
	if _, err := l.paid("case-2/7"); err == nil || !strings.Contains(err.Error(), "line 2 cannot be read") {
		t.Errorf("the payment of the torn line: %v", err)
	}
}
