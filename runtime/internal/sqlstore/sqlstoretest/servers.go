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
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"github.com/agentc-dev/agentc/runtime/serve"
)

// The variables that make a test binary a server: the address of its store, and the file into which its runs write.
const (
	asServer = "AGENTC_SQLSTORE_TEST_STORE"
	ledger   = "AGENTC_SQLSTORE_TEST_LEDGER"
)

// IsServer reports whether this process is to be a server, by [Kind.Serve], and not to run tests.
func IsServer() bool { return os.Getenv(asServer) != "" }

// Serve serves the store of the environment until the process is killed. It prints where.
func (k Kind) Serve() error {
	store, err := k.Open(os.Getenv(asServer))
	if err != nil {
		return err
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
	run := func(fx runtime.Effects, input string) (runtime.Finish, error) {
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

	return &compiled.Program{
		Name: "ledger", Entry: "work", Shape: "s1", Text: "t1", Agents: []compiled.Agent{{Name: "work", Pattern: "oneshot", Run: run}},
	}
}

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

// start has the server start a run, and reports whether it said that the run is recorded.
func (s *server) start(run string) bool {
	body, _ := json.Marshal(wire.Start{Run: run})
	client := http.Client{Timeout: 10 * time.Second}
	reply, err := client.Post(s.address+"/runs", "application/json", bytes.NewReader(body))
	if err != nil {
		return false
	}
	_, _ = io.Copy(io.Discard, reply.Body)
	_ = reply.Body.Close()

	return reply.StatusCode == http.StatusCreated
}

// show returns a run as the server shows it.
func (s *server) show(run string) (shown wire.Run, err error) {
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
			if run := fmt.Sprintf("run-%d-%d", i, part); s.start(run) {
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

// wait waits until a run is done, and returns what came of it.
func (s *server) wait(t *testing.T, run string) string {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		shown, err := s.show(run)
		if err == nil && shown.Status == wire.Done {
			return shown.Result.Value
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
