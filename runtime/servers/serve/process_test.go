package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// The test binary is a server if the environment has one of these: the command, with the arguments of the process, or a server of the
// store that stands there.
const (
	asCommand = "AGENTC_SERVE_TEST_COMMAND"
	asServer  = "AGENTC_SERVE_TEST_STORE"
)

func TestMain(m *testing.M) {
	switch dir := os.Getenv(asServer); {
	case os.Getenv(asCommand) != "":
		os.Exit(app.Options{}.Run(workshop{}, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	case dir != "":
		serveStore(dir)
	default:
		os.Exit(m.Run())
	}
}

// commandOf is the command serve in a process of its own.
func commandOf(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Dir = t.TempDir()

	return cmd
}

// serveStore serves the workshop until it is killed. It prints where.
func serveStore(dir string) {
	s := serve.New(serve.Options{
		Program: workshop{dir}.Program(), Store: journal.Files(dir), Engine: echoing,
		RecoveryWait: 20 * time.Millisecond, Rescan: 50 * time.Millisecond,
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	go s.Watch(context.Background())
	panic(http.Serve(l, s.Handler()))
}

// workshop is a program that writes what it does outside into a ledger, and whose agent poison ends the process.
type workshop struct{ dir string }

const ledgerFile = "ledger"

var (
	putSpec   = &runtime.ToolSpec{Name: "put", Input: `{"type":"object"}`, Effect: runtime.EffectExternal}
	orderSpec = &runtime.ToolSpec{Name: "order", Input: `{"type":"object"}`, Effect: runtime.EffectExternal}
	crashSpec = &runtime.ToolSpec{Name: "crash", Input: `{"type":"object"}`, Effect: runtime.EffectRead}
)

// puts is how often a run of agent work writes into the ledger.
const puts = 4

func (w workshop) Program() *compiled.Program {
	agent := func(name string, run func(fx runtime.Effects, input string) (value string, err error)) compiled.Agent {
		return compiled.Agent{Name: name, Pattern: "oneshot", Run: func(fx runtime.Effects, input string) (runtime.Finish, error) {
			value, err := run(fx, input)
			return runtime.Finish{Key: "done", Value: value}, err
		}}
	}
	call := func(fx runtime.Effects, spec *runtime.ToolSpec, input string, run func(context.Context) (string, error)) (string, error) {
		arguments, _ := json.Marshal(args{"input": input})
		result, err := fx.Tool(runtime.ToolCall{
			Agent: "a", ID: "1", Tool: spec, Args: arguments,
			Run: func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
				text, err := run(ctx)
				return runtime.ToolResult{Text: text}, err
			},
		})
		return result.Text, err
	}

	return &compiled.Program{
		Name: "workshop", Entry: "work", Shape: "s1", Text: "t1", Parts: []compiled.Part{serve.Part{}},
		Agents: []compiled.Agent{
			agent("work", func(fx runtime.Effects, input string) (value string, err error) {
				for range puts {
					key, err := call(fx, putSpec, input, w.put)
					if err != nil {
						return "", err
					}
					value += key + "\n"
				}
				return value, nil
			}),
			agent("approval", func(fx runtime.Effects, input string) (string, error) {
				_, err := fx.Ask(runtime.Question{ID: "approve", Agent: "approval", Prompt: "Go on?", Choices: []string{"yes", "no"}})
				if err != nil {
					return "", err
				}
				return call(fx, putSpec, input, w.put)
			}),
			agent("logs", func(fx runtime.Effects, _ string) (string, error) {
				_, err := fx.Call(runtime.FuncCall{Name: "log", Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
					slog.Info("said by a function")
					return json.RawMessage("1"), nil
				}})
				return "", err
			}),
			agent("order", func(fx runtime.Effects, input string) (string, error) { return call(fx, orderSpec, input, w.order) }),
			agent("long", func(fx runtime.Effects, _ string) (string, error) {
				for range 2 {
					_, err := fx.Call(runtime.FuncCall{Name: "long", Repeatable: true, Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
						time.Sleep(150 * time.Millisecond)
						return json.RawMessage("1"), nil
					}})
					if err != nil {
						return "", err
					}
				}
				return "", nil
			}),
			agent("poison", func(fx runtime.Effects, input string) (string, error) {
				return call(fx, crashSpec, input, func(context.Context) (string, error) {
					go panic("poison")
					select {}
				})
			}),
		},
	}
}

// put writes the key of the call, after a moment, and returns it.
func (w workshop) put(ctx context.Context) (string, error) {
	time.Sleep(3 * time.Millisecond)
	call, _ := runtime.CallFromContext(ctx)
	key := call.IdempotencyKey()
	file, err := os.OpenFile(filepath.Join(w.dir, ledgerFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	_, err = file.WriteString(key + "\n")

	return key, errors.Join(err, file.Close())
}

// order writes the key of the call, and does not return.
func (w workshop) order(ctx context.Context) (string, error) {
	if _, err := w.put(ctx); err != nil {
		return "", err
	}
	select {}
}

// ledger counts what was done, by its key.
func ledger(t *testing.T, dir string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, ledgerFile))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	done := map[string]int{}
	for _, key := range strings.Fields(string(text)) {
		done[key]++
	}

	return done
}

// process is a server in a process of its own.
type process struct {
	*visitor
	cmd *exec.Cmd
	// ended is closed when the process has ended.
	ended chan struct{}
}

func startServer(t *testing.T, dir string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asServer+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	p := &process{visitor: &visitor{T: t, url: "http://" + lines.Text()}, cmd: cmd, ended: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(p.kill)

	return p
}

// kill ends the process as kill -9 does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// try sends a request to a process that may be dead, and returns the status of its reply; 0 without one.
func (p *process) try(method, path string, body any) (status int, reply map[string]any) {
	text, err := json.Marshal(body)
	if err != nil {
		p.Fatal(err)
	}
	r, err := http.NewRequest(method, p.url+path, strings.NewReader(string(text)))
	if err != nil {
		p.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return 0, nil
	}

	return response.StatusCode, reply
}

// summaries are the runs of a status.
func (p *process) summaries(status string) (all []map[string]any) {
	p.Helper()
	_, list := p.try("GET", "/runs?limit=1000&status="+status, nil)
	runs, _ := list["runs"].([]any)
	for _, run := range runs {
		all = append(all, run.(map[string]any))
	}

	return all
}

// settle answers the questions about unknown outcomes until all runs are done: a call that is in the ledger has happened, and has returned
// its key.
func (p *process) settle(dir string, runs []string) {
	p.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		done := p.summaries("done")
		if len(done) == len(runs) {
			return
		}
		if time.Now().After(end) {
			p.Fatalf("%d of %d runs are done; others are %v", len(done), len(runs), p.summaries(""))
		}
		for _, paused := range p.summaries("paused") {
			run := paused["run"].(string)
			address := openAddress(p.T, dir, run)
			value := any("again")
			if key := run + "/" + address; ledger(p.T, dir)[key] > 0 {
				value = args{"done": key}
			}
			p.try("POST", "/runs/"+run+"/answers", args{"question": "unknown:put", "value": value})
		}
	}
}

// openAddress is the address of the last effect that a run has begun.
func openAddress(t *testing.T, dir, run string) (address string) {
	t.Helper()
	for _, r := range recorded(t, dir, run) {
		if r.Type == journal.Intent {
			address = r.Address
		}
	}

	return address
}

func recorded(t *testing.T, dir, run string) []journal.Record {
	t.Helper()
	j, err := journal.Read(t.Context(), journal.Files(dir), run)
	if err != nil {
		t.Fatal(err)
	}

	return j.Records
}

// checkRuns says that each run has ended once, has done each of its effects once, and has the results of all of them.
func checkRuns(t *testing.T, dir string, runs []string) {
	t.Helper()
	done := ledger(t, dir)
	for key, times := range done {
		if times != 1 {
			t.Errorf("%s was done %d times", key, times)
		}
	}
	for _, run := range runs {
		ends, skipped, written, results, value := 0, 0, 0, "", ""
		for _, r := range recorded(t, dir, run) {
			status, _ := r.Get("status")
			switch {
			case r.Type == journal.End && r.Name == "done":
				ends++
				value, _ = r.Get("value")
			case r.Type == journal.End && r.Name != "paused", r.Type == journal.Event && r.Name == "end" && status == "failed":
				t.Errorf("run %s was left as %s", run, r.Name)
			case r.Type == journal.Result:
				results += run + "/" + r.Address + "\n"
				if done[run+"/"+r.Address] == 1 {
					written++
				} else {
					skipped++
				}
			}
		}
		if ends != 1 || written != puts || skipped > 0 {
			t.Errorf("run %s has %d ends and has done %d of %d", run, ends, written, puts)
		}
		if value != results {
			t.Errorf("run %s has the results %q, and ends with %q", run, results, value)
		}
	}
}

// Two servers work on one store, and one of them is killed again and again: the other takes its runs up. Each run that a client was told of
// ends once, and whatever it does outside happens once.
func TestKillOneOfTwo(t *testing.T) {
	kills := 100
	if testing.Short() {
		kills = 6
	}
	const each = 3
	dir := t.TempDir()
	servers := []*process{startServer(t, dir), startServer(t, dir)}
	var runs []string
	for n := range kills {
		var started sync.WaitGroup
		var mu sync.Mutex
		for i := range each * len(servers) {
			started.Go(func() {
				run := fmt.Sprintf("r%d-%d", n, i)
				if status, _ := servers[i%2].try("POST", "/runs", args{"run": run, "input": "x"}); status == http.StatusCreated {
					mu.Lock()
					runs = append(runs, run)
					mu.Unlock()
				}
			})
		}
		time.Sleep(time.Duration(n*7%25) * time.Millisecond)
		servers[n%2].kill()
		started.Wait()
		servers[n%2] = startServer(t, dir)
	}
	if len(runs) < kills*each {
		t.Errorf("only %d runs were started", len(runs))
	}
	names, err := journal.Files(dir).List(t.Context(), journal.Query{})
	if err != nil {
		t.Fatal(err)
	}
	begun := names[:0] // some have begun although no caller was notified, and end all the same
	for _, run := range names {
		if _, err := journal.Read(t.Context(), journal.Files(dir), run); !errors.Is(err, journal.ErrNotBegun) {
			begun = append(begun, run)
		}
	}
	servers[0].settle(dir, begun)
	checkRuns(t, dir, begun)
	known := map[string]bool{}
	for _, run := range begun {
		known[run] = true
	}
	for _, run := range runs {
		if !known[run] {
			t.Errorf("run %s was acknowledged and is gone", run)
		}
	}
	t.Logf("%d kills, %d runs, %d acknowledged", kills, len(begun), len(runs))
}

// A live server takes up what another leaves, without being started anew.
func TestTakeover(t *testing.T) {
	dir := t.TempDir()
	first, second := startServer(t, dir), startServer(t, dir)
	first.start("long", "x")
	run := first.start("long", "x")
	first.kill()
	second.wait(run, client.Done)
	if n := len(second.summaries("done")); n > 2 {
		t.Errorf("there are %d runs", n)
	}
}

// A server dies right after it has accepted an answer, and is not started again. Another one uses the answer.
func TestAnswersOutliveTheirServer(t *testing.T) {
	kills := 100
	if testing.Short() {
		kills = 4
	}
	dir := t.TempDir()
	victim, survivor := startServer(t, dir), startServer(t, dir)
	for n := range kills {
		run := fmt.Sprint("approval-", n)
		victim.want(http.StatusCreated, "POST", "/runs", args{"run": run, "agent": "approval", "input": "x"})
		victim.wait(run, client.Paused)
		victim.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes"})
		victim.kill()
		for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			shown := survivor.want(http.StatusOK, "GET", "/runs/"+run, nil)
			if shown["status"] == "done" {
				break
			}
			if questions, _ := shown["questions"].([]any); len(questions) > 0 { // the call of the tool had begun
				key := run + "/" + openAddress(t, dir, run)
				value := any("again")
				if ledger(t, dir)[key] > 0 {
					value = args{"done": key}
				}
				survivor.try("POST", "/runs/"+run+"/answers", args{"question": "unknown:put", "value": value})
			}
			if time.Now().After(end) {
				t.Fatalf("the answer to run %s is not used: %v", run, shown)
			}
		}
		victim, survivor = survivor, startServer(t, dir)
	}
	fmt.Printf("kills: %d of the server that had accepted an answer\n", kills)
}

// A run that ends its process does so as often as it may be recovered, whatever else is at work: then it is quarantined, and the others
// have come to their ends. Only a request resumes it.
func TestPoison(t *testing.T) {
	dir := t.TempDir()
	p := startServer(t, dir)
	var others []string
	for i := range 4 {
		others = append(others, fmt.Sprint("before-", i), fmt.Sprint("long-", i))
		p.want(http.StatusCreated, "POST", "/runs", args{"run": others[2*i], "agent": "work", "input": "x"})
		p.want(http.StatusCreated, "POST", "/runs", args{"run": others[2*i+1], "agent": "long", "input": "x"})
	}
	p.try("POST", "/runs", args{"run": "poison", "agent": "poison", "input": "x"}) // the process may end before it answers

	crashes := 0
	restart := func() { // as a service manager does
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			select {
			case <-p.ended:
				crashes++
				p = startServer(t, dir)
			default:
			}
			if len(p.summaries("quarantined")) > 0 {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("after %d crashes the runs are %v", crashes, p.summaries(""))
			}
		}
	}
	restart()
	if crashes != 1+serve.DefaultMaxRecoveries {
		t.Errorf("the process has crashed %d times", crashes)
	}
	if shown := p.want(http.StatusOK, "GET", "/runs/poison", nil); len(shown["recoveries"].([]any)) != serve.DefaultMaxRecoveries ||
		shown["problem"].(map[string]any)["type"] != "QuarantinedError" {
		t.Errorf("the run is %v", shown)
	}
	p.settle(dir, others)
	for _, run := range others {
		ends := 0
		for _, r := range recorded(t, dir, run) {
			if r.Type == journal.End && r.Name == "done" {
				ends++
			}
		}
		if ends != 1 {
			t.Errorf("run %s has ended %d times", run, ends)
		}
	}

	crashes = 0
	p.try("POST", "/runs/poison/resume", args{})
	<-p.ended
	restart()
	if crashes != 1+serve.DefaultMaxRecoveries {
		t.Errorf("after it was resumed by a request the process has crashed %d times", crashes)
	}
}

// The server is killed in the midst of tool calls that must not happen twice. The next one asks about each of them, with all that a person
// needs to look it up, and the result that the person gives is the call's.
func TestKilledCallsAreAnswered(t *testing.T) {
	rounds := 10
	if testing.Short() {
		rounds = 2
	}
	const each = 3
	dir := t.TempDir()
	for n := range rounds {
		p := startServer(t, dir)
		for i := range each {
			p.want(http.StatusCreated, "POST", "/runs", args{"run": fmt.Sprintf("o%d-%d", n, i), "agent": "order", "input": "pen"})
		}
		for end := time.Now().Add(time.Minute); len(ledger(t, dir)) < (n+1)*each; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the tool has run for %v only", ledger(t, dir))
			}
		}
		p.kill()

		p = startServer(t, dir)
		for i := range each {
			run := fmt.Sprintf("o%d-%d", n, i)
			answerOrder(p, run, openAddress(t, dir, run))
		}
		p.kill()
	}
	for key, times := range ledger(t, dir) {
		if times != 1 {
			t.Errorf("%s was done %d times", key, times)
		}
	}
}

// answerOrder answers the question about a call of the tool order.
func answerOrder(p *process, run, address string) {
	p.Helper()
	shown := p.wait(run, client.Paused)
	questions, _ := shown["questions"].([]any)
	if len(questions) != 1 {
		p.Fatalf("the run shows %v", shown)
	}
	q := questions[0].(map[string]any)
	effect, _ := q["effect"].(map[string]any)
	want := args{
		"kind": "tool", "name": "order", "agent": "a", "args": args{"input": "pen"}, "address": address, "idempotency_key": run + "/" + address,
	}
	if fmt.Sprint(map[string]any(effect)) != fmt.Sprint(want) || q["question"] != "unknown:order" || q["address"] != address {
		p.Errorf("the question is %v, and its effect is not %v", q, want)
	}
	p.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{
		"question": "unknown:order", "address": address, "value": args{"done": "order of " + run},
	})
	done := p.wait(run, client.Done)
	if result := done["result"].(map[string]any); result["value"] != "order of "+run {
		p.Errorf("run %s ends with %v", run, result)
	}
}
