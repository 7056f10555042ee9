package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/mcp"
)

// ledgerVariable names, in a child process, the file in which its tool notes what it has done.
const ledgerVariable = "AGENTC_TEST_LEDGER"

func TestMain(m *testing.M) {
	if ledger := os.Getenv(ledgerVariable); ledger != "" {
		os.Exit(app.Options{}.Run(payer(ledger), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// payer is a program that pays some bills, one after the other, and notes each in a ledger.
type payer string

// bills is how many a run pays.
const bills = 3

var paySpec = &runtime.ToolSpec{Name: "pay", Input: `{"type":"object"}`, Effect: runtime.EffectExternal}

// Program implements app.App.
func (p payer) Program() *compiled.Program {
	return &compiled.Program{
		Name: "payer", Entry: "pay", Shape: "s1", Text: "t1", Parts: []compiled.Part{mcp.Part{}},
		Agents: []compiled.Agent{{Name: "pay", Description: "Pays.", Pattern: "oneshot", Run: func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			var results []string
			for i := range bills {
				result, err := fx.Tool(runtime.ToolCall{
					Agent: "pay", ID: "1", Tool: paySpec, Args: json.RawMessage(fmt.Sprintf(`{"bill":%d}`, i)), Run: p.pay,
				})
				if err != nil {
					return runtime.Finish{}, err
				}
				results = append(results, result.Text)
			}
			return runtime.Finish{Key: "done", Value: strings.Join(results, " ")}, nil
		}}},
		Tools: []*runtime.ToolSpec{paySpec},
	}
}

// pay notes a bill. While there is a file hold beside the ledger it does not return.
func (p payer) pay(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) {
	call, _ := runtime.CallFromContext(ctx)
	time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
	ledger, err := os.OpenFile(string(p), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return runtime.ToolResult{}, err
	}
	if _, err := ledger.WriteString(call.IdempotencyKey() + "\n"); err != nil {
		return runtime.ToolResult{}, err
	}
	_ = ledger.Close()
	time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
	for {
		if _, err := os.Stat(filepath.Join(filepath.Dir(string(p)), "hold")); err != nil {
			return runtime.ToolResult{Text: "paid"}, nil
		}
		time.Sleep(time.Millisecond)
	}
}

// paid is what the ledger has: how often each bill was paid, by its idempotency key.
func paid(t *testing.T, ledger string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(ledger)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	times := map[string]int{}
	for key := range strings.FieldsSeq(string(text)) {
		times[key]++
	}

	return times
}

// process is a server in a process of its own, with a client of the SDK.
type process struct {
	*visitor
	cmd *exec.Cmd
}

func startPayer(t *testing.T, dir string) process {
	t.Helper()
	cmd := exec.Command(os.Args[0], "mcp", "--store", filepath.Join(dir, "store"))
	cmd.Env = append(os.Environ(), ledgerVariable+"="+filepath.Join(dir, "ledger"))
	c := dial(t, &sdk.CommandTransport{Command: cmd}, nil)

	return process{c, cmd}
}

// kill ends the process as it is.
func (p process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.session.Wait()
}

// A process that is killed inside a tool leaves a question with the arguments, which is answered with the result after a restart.
func TestKilledInsideTool(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	hold := filepath.Join(dir, "hold")
	if err := os.WriteFile(hold, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first := startPayer(t, dir)
	run := first.want("agent_pay", args{"task": "x", "wait": 0}, args{"ok": true})["run"].(string)
	for len(paid(t, filepath.Join(dir, "ledger"))) == 0 {
		time.Sleep(time.Millisecond)
	}
	first.kill()
	if err := os.Remove(hold); err != nil {
		t.Fatal(err)
	}

	second := startPayer(t, dir)
	shown := second.want("run_status", args{"run": run, "wait": 60}, args{"ok": true, "status": "paused"})
	question, _ := shown["questions"].([]any)[0].(map[string]any)
	effect, _ := question["effect"].(map[string]any)
	if question["question"] != "unknown:pay" || fmt.Sprint(effect["args"]) != "map[bill:0]" || effect["idempotency_key"] != run+"/1" {
		t.Errorf("the question is %v", question)
	}
	second.want("run_answer", args{"run": run, "question": "unknown:pay", "value": "perhaps"}, args{"ok": false, "errorType": "AnswerError"})
	second.want("run_answer", args{"run": run, "question": "unknown:pay", "value": "done by hand"},
		args{"ok": true, "status": "done", "result": result("done", "by hand paid paid")})
	if got := paid(t, filepath.Join(dir, "ledger")); len(got) != bills {
		t.Errorf("paid: %v", got)
	}
}

// A server whose client leaves stops its run at the next safe point, and the next server resumes it: nothing is asked, or done twice.
func TestClientOfProcessLeaves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	hold, ledger := filepath.Join(dir, "hold"), filepath.Join(dir, "ledger")
	if err := os.WriteFile(hold, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first := startPayer(t, dir)
	run := first.want("agent_pay", args{"task": "x", "wait": 0}, args{"ok": true})["run"].(string)
	for len(paid(t, ledger)) == 0 {
		time.Sleep(time.Millisecond)
	}
	left := make(chan error, 1)
	go func() { left <- first.session.Close() }()
	if err := os.Remove(hold); err != nil {
		t.Fatal(err)
	}
	if err := <-left; err != nil {
		t.Errorf("the server ends with %v", err)
	}

	second := startPayer(t, dir)
	second.want("run_status", args{"run": run, "wait": 60}, args{"ok": true, "status": "done", "result": result("done", "paid paid paid")})
	if got := paid(t, ledger); len(got) != bills {
		t.Errorf("paid: %v", got)
	}
}

// Servers are killed at random moments: every run that was acknowledged ends once, and no bill is paid twice. What became of a bill is
// looked up in the ledger where it is asked for.
func TestKilled(t *testing.T) {
	t.Parallel()
	rounds := 60
	if testing.Short() {
		rounds = 4
	}
	dir := t.TempDir()
	ledger := filepath.Join(dir, "ledger")
	open := map[string]bool{} // the runs that were acknowledged and have not ended
	asked, began := 0, 0
	for round := 0; round < rounds || len(open) > 0; round++ {
		p := startPayer(t, dir)
		if round < rounds {
			after := time.Duration(rand.IntN(60)) * time.Millisecond
			time.AfterFunc(after, func() { _ = p.cmd.Process.Kill() })
			for range 3 {
				if reply := p.try("agent_pay", args{"task": "x", "wait": 0}); reply["ok"] == true {
					open[reply["run"].(string)] = true
					began++
				}
			}
		}
		for run := range open {
			shown := p.try("run_status", args{"run": run, "wait": 10})
			for shown["status"] == "paused" {
				question := shown["questions"].([]any)[0].(map[string]any)
				key := question["effect"].(map[string]any)["idempotency_key"].(string)
				answer := any("again")
				if paid(t, ledger)[key] > 0 {
					answer = args{"done": "paid"}
				}
				asked++
				shown = p.try("run_answer", args{"run": run, "question": question["question"], "value": answer})
			}
			if shown["status"] == "done" {
				if of, _ := shown["result"].(map[string]any); of["value"] != "paid paid paid" {
					t.Errorf("run %s: %v", run, shown)
				}
				delete(open, run)
			} else if shown != nil && round >= rounds && shown["status"] != "running" && shown["status"] != "interrupted" {
				t.Fatalf("run %s: %v", run, shown)
			}
		}
		p.kill()
	}
	for key, times := range paid(t, ledger) {
		if times != 1 {
			t.Errorf("%s is paid %d times", key, times)
		}
	}
	t.Logf("%d kills, %d runs, %d questions", rounds, began, asked)
}

// try is call on a connection that may break: nil then.
func (c *visitor) try(tool string, in args) (reply map[string]any) {
	ctx, stop := context.WithTimeout(c.Context(), 30*time.Second)
	defer stop()
	result, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		return nil
	}
	reply, _ = result.StructuredContent.(map[string]any)

	return reply
}
