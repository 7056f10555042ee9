package sqlstoretest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
)

// The variables that make a test binary a server: the address of its store, and the file into which its runs write.
const (
	asServer = "AGENTC_SQLSTORE_TEST_STORE"
	ledger   = "AGENTC_SQLSTORE_TEST_LEDGER"
)

// IsServer reports whether this process is to be a server, by [Kind.Serve], and not to run tests.
func IsServer() bool { return os.Getenv(asServer) != "" }

// Serve serves the store of the environment until the process is killed, and prints where; or it holds the run of the environment.
func (k Kind) Serve() error {
	store, err := k.Open(os.Getenv(asServer))
	if err != nil {
		return err
	}
	if run := os.Getenv(heldRun); run != "" {
		return holdRun(store, run)
	}
	s := serve.New(serve.Options{
		Program: program(), Store: store, MaxRecoveries: 1000, RecoveryWait: 10 * time.Millisecond, Rescan: 50 * time.Millisecond,
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	go s.Watch(context.Background())

	return http.Serve(l, s.Handler())
}

// effects is how many a run has.
const effects = 5

// program has an agent that writes a line for each of its effects into the ledger: the key of the effect, and a text that is another
// each time that it is carried out. What came of it is the last of these texts.
func program() *compiled.Program {
	spec := &runtime.ToolSpec{Name: "put", Input: `{"type":"object"}`, Effect: runtime.EffectExternal, Idempotent: true}
	put := func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
		time.Sleep(20 * time.Millisecond)
		call, _ := runtime.CallFromContext(ctx)
		line := call.IdempotencyKey() + " " + rand.Text()
		file, err := os.OpenFile(os.Getenv(ledger), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return runtime.ToolResult{}, err
		}
		_, err = file.WriteString(line + "\n")

		return runtime.ToolResult{Text: line}, errors.Join(err, file.Close())
	}
	work := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		var lines []string
		for range effects {
			result, err := fx.Tool(runtime.ToolCall{Agent: "work", ID: "1", Tool: spec, Args: json.RawMessage(`{}`), Run: put})
			if err != nil {
				return runtime.Finish{}, err
			}
			lines = append(lines, result.Text)
		}
		return runtime.Finish{Key: "done", Value: strings.Join(lines, "\n")}, nil
	}
	ask := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		if _, err := fx.Ask(runtime.Question{ID: question, Agent: "ask", Prompt: "Go on?", Choices: []string{"yes", "no"}}); err != nil {
			return runtime.Finish{}, err
		}
		return work(fx, input)
	}

	return &compiled.Program{Name: "ledger", Entry: "work", Shape: "s1", Text: "t1", Agents: []compiled.Agent{
		{Name: "ask", Pattern: "oneshot", Run: ask}, {Name: "work", Pattern: "oneshot", Run: work},
	}}
}

// question is the id of what agent ask asks before it does what agent work does.
const question = "approve"

// server is a server in a process of its own.
type server struct {
	cmd     *exec.Cmd
	address string
}

// startServer starts a server of a store.
func startServer(t *testing.T, store, file string) *server {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asServer+"="+store, ledger+"="+file)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	s := &server{cmd: cmd, address: "http://" + strings.TrimSpace(line)}
	t.Cleanup(s.kill)

	return s
}

// kill ends the process at once.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
}

// start has the server start a run of an agent, and reports whether it said that the run is recorded.
func (s *server) start(run, agent string) bool {
	return s.post("/runs", client.Start{Run: run, Agent: agent}) == http.StatusCreated
}

// answer answers the question of a run of agent ask, and returns the status of the reply; 0 without one.
func (s *server) answer(run, by string) (status int) {
	return s.post("/runs/"+run+"/answers", client.Reply{Question: question, Value: "yes", By: by})
}

// post sends a request, and returns the status of the reply; 0 without one.
func (s *server) post(path string, request any) (status int) {
	body, _ := json.Marshal(request)
	client := http.Client{Timeout: 10 * time.Second}
	reply, err := client.Post(s.address+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, reply.Body)
	_ = reply.Body.Close()

	return reply.StatusCode
}

// show returns a run as the server shows it.
func (s *server) show(run string) (shown client.Run, err error) {
	reply, err := http.Get(s.address + "/runs/" + run)
	if err != nil {
		return shown, err
	}
	defer reply.Body.Close()

	return shown, json.NewDecoder(reply.Body).Decode(&shown)
}

// Kill has two servers work on one store and kills one of them, at random, so many times. Each run that a server has acknowledged ends
// in the end, and no effect whose result was recorded was carried out again.
func (k Kind) Kill(t *testing.T, times int) {
	store, file := withLease(k.Empty(t), 500*time.Millisecond), filepath.Join(t.TempDir(), "ledger")
	servers := []*server{startServer(t, store, file), startServer(t, store, file)}
	random := mathrand.New(mathrand.NewPCG(uint64(times), 1))
	var runs []string
	for i := range times {
		for part, s := range servers {
			if run := fmt.Sprintf("run-%d-%d", i, part); s.start(run, "work") {
				runs = append(runs, run)
			}
		}
		time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond)
		victim := random.IntN(len(servers))
		servers[victim].kill()
		servers[victim] = startServer(t, store, file)
	}
	if len(runs) < times {
		t.Errorf("of %d runs %d were acknowledged", 2*times, len(runs))
	}
	results := map[string]string{}
	for _, run := range runs {
		results[run] = servers[0].wait(t, run)
	}
	again := compareLedger(t, file, results)
	fmt.Printf("kills: %d of two servers, %d runs, %d effects, %d carried out again\n", times, len(runs), len(runs)*effects, again)
}

// KillAfterAnswer has two servers work on one store and kills one of them, so many times, right after it has accepted
// an answer. The other one uses the answer, before the killed one is replaced.
func (k Kind) KillAfterAnswer(t *testing.T, times int) {
	store, file := withLease(k.Empty(t), 500*time.Millisecond), filepath.Join(t.TempDir(), "ledger")
	victim, survivor := startServer(t, store, file), startServer(t, store, file)
	results := map[string]string{}
	for i := range times {
		run := fmt.Sprintf("run-%d", i)
		if !victim.start(run, "ask") {
			t.Fatalf("run %s was not started", run)
		}
		victim.waitFor(t, run, client.Paused)
		if status := victim.answer(run, "ada"); status != http.StatusOK {
			t.Fatalf("the answer to run %s got status %d", run, status)
		}
		victim.kill()
		results[run] = survivor.wait(t, run)
		victim, survivor = survivor, startServer(t, store, file)
	}
	compareLedger(t, file, results)
	fmt.Printf("kills: %d of the server that had accepted an answer, %d answers used\n", times, len(results))
}

// AnswerTogether has many people answer the question of a run at the same time, at two servers, for so many runs. One
// of them is the first, and each run ends.
func (k Kind) AnswerTogether(t *testing.T, runs int) {
	const people = 20
	store, file := withLease(k.Empty(t), time.Second), filepath.Join(t.TempDir(), "ledger")
	servers := []*server{startServer(t, store, file), startServer(t, store, file)}
	results := map[string]string{}
	for i := range runs {
		run := fmt.Sprintf("run-%d", i)
		if !servers[i%2].start(run, "ask") {
			t.Fatalf("run %s was not started", run)
		}
		servers[i%2].waitFor(t, run, client.Paused)
		var accepted atomic.Int32
		var group sync.WaitGroup
		for person := range people {
			group.Go(func() {
				switch status := servers[person%2].answer(run, fmt.Sprint("person-", person)); status {
				case http.StatusOK:
					accepted.Add(1)
				case http.StatusConflict:
				default:
					t.Errorf("an answer to run %s got status %d", run, status)
				}
			})
		}
		group.Wait()
		if accepted.Load() != 1 {
			t.Errorf("run %s: %d answers were accepted", run, accepted.Load())
		}
		results[run] = servers[0].wait(t, run)
	}
	compareLedger(t, file, results)
}

// wait waits until a run is done, and returns what came of it.
func (s *server) wait(t *testing.T, run string) string {
	t.Helper()

	return s.waitFor(t, run, client.Done).Result.Value
}

// waitFor waits until a run has a status, and returns it.
func (s *server) waitFor(t *testing.T, run string, status client.Status) client.Run {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		shown, err := s.show(run)
		if err == nil && shown.Status == status {
			return shown
		}
		if time.Since(begun) > 2*time.Minute {
			t.Fatalf("run %s is %+v, %v", run, shown, err)
		}
	}
}

// compareLedger wants the results of runs to be what is last in the ledger for each effect: one that was carried out after its result
// was recorded would have written another line. again counts the lines that are no results.
func compareLedger(t *testing.T, file string, results map[string]string) (again int) {
	t.Helper()
	content, err := os.ReadFile(file)
	must(t, err)
	last := map[string]string{}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	for _, line := range lines {
		key, _, _ := strings.Cut(line, " ")
		last[key] = line
	}
	for run, result := range results {
		got := strings.Split(result, "\n")
		if len(got) != effects {
			t.Errorf("run %s has %d effects", run, len(got))
		}
		for _, line := range got {
			if key, _, _ := strings.Cut(line, " "); last[key] != line {
				t.Errorf("run %s: the result is %q, and %q was written last", run, line, last[key])
			}
		}
	}

	return len(lines) - len(last)
}
