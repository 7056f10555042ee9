package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// story is a project of three steps, whose model is at ADDRESS.
const story = `
-- agentc.yaml --
entrypoint: story
models: {default: {name: "openai:small", base_url: "ADDRESS"}, worker: {name: "openai:small", base_url: "ADDRESS"}}
-- agents/story/AGENT.md --
---
name: story
description: Writes a story.
version: "1"
pattern: fsm
initial: plan
states:
  plan: write
  write: polish
  polish: ~
---
-- agents/plan/AGENT.md --
---
name: plan
description: Plans.
version: "1"
pattern: oneshot
---

Plan it.
-- agents/write/AGENT.md --
---
name: write
description: Writes.
version: "1"
pattern: oneshot
---

Write it.
-- agents/polish/AGENT.md --
---
name: polish
description: Polishes.
version: "1"
pattern: oneshot
---

Polish it.
`

// loopback is a model that answers with the first word of its prompt, and keeps these.
type loopback struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func newLoopback(t *testing.T) *loopback {
	m := &loopback{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil || len(request.Messages) == 0 {
			t.Errorf("%v %v", request, err)
			return
		}
		word, _, _ := strings.Cut(request.Messages[0].Content, " ")
		m.mu.Lock()
		m.asked = append(m.asked, word)
		m.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"model": "small-1", "usage": map[string]int{"prompt_tokens": 7, "completion_tokens": 3},
			"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": word + " is done"}}},
		})
	}))
	t.Cleanup(m.Close)

	return m
}

// since returns what was asked since the last call.
func (m *loopback) since() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	asked := strings.Join(m.asked, " ")
	m.asked = nil

	return asked
}

// devSession is a test's agentc dev.
type devSession struct {
	t      testing.TB
	dir    string
	stdin  *io.PipeWriter
	ended  chan int
	mu     sync.Mutex
	stderr bytes.Buffer
	read   int
}

func (s *devSession) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.stderr.Write(p)
}

// startDev runs agentc dev until the test ends.
func startDev(t testing.TB, dir string, args ...string) *devSession {
	t.Helper()
	t.Setenv("AGENTC_STORE", "")
	stdin, typing := io.Pipe()
	s := &devSession{t: t, dir: dir, stdin: typing, ended: make(chan int, 1)}
	env := &cli.Env{Stdin: stdin, Stdout: io.Discard, Stderr: s, Dir: dir, Getenv: os.Getenv}
	go func() { s.ended <- runCatchingPanics(env, append([]string{"dev", "--addr", "127.0.0.1:0"}, args...)) }()
	t.Cleanup(func() {
		s.typed("q")
		if code := <-s.ended; code != cli.Done {
			t.Errorf("exit code %d", code)
		}
	})

	return s
}

func (s *devSession) typed(line string) { fmt.Fprintln(s.stdin, line) }

// until waits for a text behind what was waited for before, and returns what is up to its end.
func (s *devSession) until(text string) string {
	s.t.Helper()
	for begun := time.Now(); time.Since(begun) < 2*time.Minute; time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		rest := s.stderr.String()[s.read:]
		if i := strings.Index(rest, text); i >= 0 {
			s.read += i + len(text)
			s.mu.Unlock()
			return rest[:i+len(text)]
		}
		s.mu.Unlock()
	}
	s.t.Fatalf("never %q in:\n%s", text, s.stderr.String())

	return ""
}

// save writes a file in which something is replaced.
func (s *devSession) save(name, before, after string) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	content, err := os.ReadFile(path)
	if err == nil && !bytes.Contains(content, []byte(before)) {
		s.t.Fatalf("%s has no %q", name, before)
	}
	if err == nil {
		err = os.WriteFile(path, bytes.Replace(content, []byte(before), []byte(after), 1), 0o644)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// TestDev: each edit goes on with the newest run from the first effect that it changes; nothing
// before that is asked again.
func TestDev(t *testing.T) {
	model := newLoopback(t)
	t.Setenv("OPENAI_API_KEY", "sk-0123456789abcdef")
	everyBuildIsLong(t)
	dir := unpack(t, t.TempDir(), strings.ReplaceAll(strings.Replace(story, "polish: ~", "polish ~", 1), "ADDRESS", model.URL+"/v1"))
	s := startDev(t, dir, ".", "a storm")

	s.until("agents/story/AGENT.md:")
	s.until("1 error (checked in ")
	s.save("agents/story/AGENT.md", "polish ~", "polish: ~")
	s.until("no problems (checked in ")
	s.until(slowBuildMessage + "\nbuilt in ")
	s.until("done: 3 effects\nPolish is done\n")
	if asked := model.since(); asked != "Plan Write Polish" {
		t.Errorf("at first %q was asked", asked)
	}

	s.save("agents/polish/AGENT.md", "Polish it.", "Shine it.")
	s.until("done: 1 effect, 2 replayed\nShine is done\n")
	if asked := model.since(); asked != "Shine" {
		t.Errorf("for another last prompt %q was asked", asked)
	}
	s.save("agents/write/AGENT.md", "Write it.", "Tell it.")
	s.until("done: 2 effects, 1 replayed\nShine is done\n")
	if asked := model.since(); asked != "Tell Shine" {
		t.Errorf("for another second prompt %q was asked", asked)
	}
	s.save("agents/story/AGENT.md", "  write: polish", "  write: check\n  check: polish")
	s.until("1 error")
	agent := strings.NewReplacer("name: plan", "name: check", "Plan it.", "Check it.")
	content, err := os.ReadFile(filepath.Join(dir, "agents/plan/AGENT.md"))
	if err != nil {
		t.Fatal(err)
	}
	unpack(t, dir, "-- agents/check/AGENT.md --\n"+agent.Replace(string(content)))
	s.until("done: 2 effects, 2 replayed\nShine is done\n")
	if asked := model.since(); asked != "Check Shine" { // what follows the new state
		t.Errorf("for a new state %q was asked", asked)
	}

	// A comment is no change, nor is a file that is written in two pieces.
	s.save("agents/story/AGENT.md", "pattern: fsm", "pattern: fsm # a comment")
	s.until("no problems (checked in ")
	half := filepath.Join(dir, "agents/plan/AGENT.md")
	if err := os.WriteFile(half, content[:40], 0o644); err != nil {
		t.Fatal(err)
	}
	s.until(" error")
	if err := os.WriteFile(half, content, 0o644); err != nil {
		t.Fatal(err)
	}
	s.until("no problems (checked in ")

	s.typed("f 2")
	s.until("done: 3 effects, 1 replayed")
	s.typed("s A storm")
	s.until("wrote testdata/a_storm.json; agentc run --script plays it")
	s.typed("r")
	s.until("done: 4 effects\n")
	if asked := model.since(); asked != "Tell Check Shine Plan Tell Check Shine" {
		t.Errorf("for a fork and a new run %q was asked", asked)
	}
	s.typed("x")
	s.until("r [TASK] runs")
	s.typed("f 99")
	s.until("the run has no such effect")
	s.typed("a yes")
	s.until("has no open question")
	agentc(dir, "", "run", "--script", "testdata/a_storm.json", "a storm").want(t, cli.Done, "Shine is done\n")
	if asked := model.since(); asked != "" {
		t.Errorf("for a script %q was asked", asked)
	}
}

// TestDevKilled: the program that serves the runs ends when agentc dev is killed.
func TestDevKilled(t *testing.T) {
	model := newLoopback(t)
	gone := make(chan struct{}, 8)
	model.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed {
			gone <- struct{}{}
		}
	}
	dir := unpack(t, t.TempDir(), strings.ReplaceAll(story, "ADDRESS", model.URL+"/v1"))
	s := &devSession{t: t}
	cmd := exec.Command(ownBinary(t), "dev", "--addr", "127.0.0.1:0", ".", "a storm")
	cmd.Dir, cmd.Stderr = dir, s
	cmd.Env = append(os.Environ(), "AGENTC_STORE=", "OPENAI_API_KEY=sk-0123456789abcdef")
	cmd.WaitDelay = time.Second // the program has its stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.until("Polish is done\n")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	select {
	case <-gone: // the connection that it keeps to the model
	case <-time.After(longestEnd):
		t.Error("the program is still there")
	}
}

// TestDevPage: the page is for itself, and has what the terminal has.
func TestDevPage(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, criticScript)
	s := startDev(t, dir, "--script", "answers.yaml", "--editor", "ed:{file}#{line}", ".", "x")
	address := regexp.MustCompile(`http://(\S+)/`).FindStringSubmatch(s.until("/\n"))[1]
	s.until("done: 3 effects\nwell done\n")
	s.save("agents/refine/AGENT.md", "pattern: oneshot", "pattern: oneshots")
	s.until("1 error")

	get := func(method, path, host string, header ...string) (int, string) {
		r, err := http.NewRequest(method, "http://"+address+path, strings.NewReader(`{"input":"y"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text := make([]byte, 1<<20)
		n, _ := io.ReadAtLeast(response.Body, text, 1)
		for err == nil && path == "/" {
			var more int
			more, err = response.Body.Read(text[n:])
			n += more
		}

		return response.StatusCode, string(text[:n])
	}
	if code, text := get("GET", "/", address); code != http.StatusOK || !strings.Contains(text, `"dev":true`) {
		t.Errorf("%d %.200s", code, text)
	}
	link, _ := json.Marshal("ed:" + filepath.ToSlash(filepath.Join(dir, "agents/refine/AGENT.md")) + "#5")
	if code, text := get("GET", "/dev/state", address); code != http.StatusOK || !strings.Contains(text, `"link":`+string(link)) || !strings.Contains(text, "svg") {
		t.Errorf("%d %.2000s", code, text)
	}
	if code, text := get("GET", "/runs?limit=1", address); code != http.StatusOK || !strings.Contains(text, `"status":"done"`) {
		t.Errorf("%d %s", code, text)
	}
	for _, refused := range []func() (int, string){
		func() (int, string) { return get("GET", "/dev/state", address, "Sec-Fetch-Site", "cross-site") },
		func() (int, string) { return get("POST", "/runs", address, "Origin", "http://example.com") },
		func() (int, string) { return get("GET", "/", "example.com") },
	} {
		if code, text := refused(); code != http.StatusForbidden {
			t.Errorf("%d %s", code, text)
		}
	}

	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	agentc(dir, "", "dev", "--addr", taken.Addr().String()).want(t, cli.Problem, "", "address already in use")
	agentc(dir, "", "dev", "--addr", "0.0.0.0:0").want(t, cli.Usage, "", "the page is for this machine only")
	agentc(t.TempDir(), "", "dev").want(t, cli.Problem, "", "agentc init NAME")
}

// TestDevWithGo: Go code is built again, and after a build error the last good program stays. A run
// becomes a test.
func TestDevWithGo(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds Go three times")
	}
	dir := unpack(t, t.TempDir(), userModule(t), clerk, strings.Replace(clerkScript, "ask:\n  pay_back: [yes]\n", "", 1), clerkTools, clerkPay)
	s := startDev(t, dir, "--script", "answers.yaml", ".", "x")
	address := regexp.MustCompile(`http://\S+/`).FindString(s.until("/\n"))
	s.until("paused: ")
	s.until("\npay_back #5: ")
	s.typed("a yes")
	s.until("done: 8 effects")
	s.save("pay.go", "paid", "payed")
	s.until("your Go has changed")
	s.save("pay.go", "func", "fun")
	s.until("non-declaration statement outside function body")
	s.until("the last good program stays")
	response, err := http.Get(address + "dev/state")
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(response.Body).ReadString('\n')
	if _ = response.Body.Close(); err != nil {
		t.Fatal(err)
	}
	link, _ := json.Marshal("vscode://file" + filepath.ToSlash(filepath.Join(dir, "pay.go")) + ":")
	if !strings.Contains(line, `"place":"pay.go:`) || !strings.Contains(line, strings.TrimSuffix(string(link), `"`)) || !strings.Contains(line, `"build":"`) {
		t.Errorf("%s", line)
	}
	s.save("pay.go", "fun", "func")
	s.until("your Go has changed")
	s.typed("r")
	s.until("\npay_back #5: ")
	s.typed("a yes")
	s.until("done: 8 effects")
	s.typed("s payed")
	s.until("wrote testdata/payed.json and payed_test.go")
	test := startGoTest(t, dir)
	if !strings.Contains(test, "ok") {
		t.Error(test)
	}
}

// startGoTest runs the tests of a module's root.
func startGoTest(t *testing.T, dir string) string {
	t.Helper()
	cmd := exec.Command("go", "test", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}

	return string(out)
}

// BenchmarkDev: from a save to the diagnostics on the terminal. At most 150 ms is the aim.
func BenchmarkDev(b *testing.B) {
	dir := b.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "examples", "support"))); err != nil {
		b.Fatal(err)
	}
	s := startDev(b, dir, ".", "The app charged me twice.")
	s.until("done: 9 effects")
	for b.Loop() {
		s.save("agents/support/AGENT.md", "- urgent: on-call", "- urgent: on-cal")
		s.until("1 error (checked in ")
		b.StopTimer()
		s.save("agents/support/AGENT.md", "- urgent: on-cal", "- urgent: on-call")
		s.until("no problems (checked in ")
		b.StartTimer()
	}
	each := float64(b.Elapsed().Microseconds()) / 1000 / float64(b.N)
	fmt.Printf("measured: agentc dev, from a save to the diagnostics = %.2f ms\n", each) // for runtime/benchmarks
}
