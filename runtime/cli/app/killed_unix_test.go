//go:build unix

package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// payer is a program whose only effect is a tool that must not happen twice: it notes each call in the file paid, and does not return
// while its process has the variable PAYER.
type payer struct{}

func (payer) Program() *compiled.Program {
	spec := &runtime.ToolSpec{Name: "pay", Input: `{"type":"object"}`, Effect: runtime.EffectExternal, OnUnknown: "ask"}
	pay := func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
		file, err := os.OpenFile("paid", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = file.WriteString("paid\n")
			_ = file.Close()
		}
		if os.Getenv("PAYER") != "" {
			select {}
		}

		return runtime.ToolResult{Text: "receipt"}, err
	}

	return &compiled.Program{Name: "payer", Entry: "payer", Shape: "s1", Text: "t1", Agents: []compiled.Agent{{
		Name: "payer", Pattern: "react", Run: func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			paid, err := fx.Tool(runtime.ToolCall{Agent: "payer", Tool: spec, Args: json.RawMessage(`{"id":"a"}`), Run: pay})

			return runtime.Finish{Key: "done", Value: paid.Text}, err
		},
	}}}
}

// TestPayerProcess is the process that TestAKilledCallIsAnswered kills.
func TestPayerProcess(*testing.T) {
	if os.Getenv("PAYER") != "" {
		os.Exit(Options{}.Run(payer{}, []string{"run", "x"}, strings.NewReader(""), os.Stdout, os.Stderr))
	}
}

// killProcess runs a test of this program in a process that has a variable, and kills it when it has
// written the file paid.
func killProcess(t *testing.T, variable, test string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$")
	cmd.Env = append(os.Environ(), variable+"=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if paid, _ := os.ReadFile("paid"); len(paid) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// A process is killed while a tool works. The answer done VALUE ends the run, and the tool has run once.
func TestAKilledCallIsAnswered(t *testing.T) {
	t.Chdir(t.TempDir())
	at := func(args ...string) (code int, out string) {
		var b strings.Builder
		code = Options{}.Run(payer{}, args, strings.NewReader(""), &b, &b)

		return code, b.String()
	}
	killProcess(t, "PAYER", "TestPayerProcess")

	if code, out := at("resume", "last"); code != cli.Paused || !strings.Contains(out, `Arguments: {"id":"a"}`) || !strings.Contains(out, " unknown:pay again\n") {
		t.Fatalf("exit code %d, %s", code, out)
	}
	if _, out := at("runs", "--json"); !strings.Contains(out, `"effect":{"kind":"tool","name":"pay","agent":"payer","args":{"id":"a"}`) {
		t.Errorf("runs: %s", out)
	}
	if code, out := at("answer", "last", "unknown:pay", "done", "by hand"); code != cli.Done || !strings.HasSuffix(out, "by hand\n") {
		t.Errorf("exit code %d, %s", code, out)
	}
	if paid, err := os.ReadFile("paid"); string(paid) != "paid\n" {
		t.Errorf("paid %q, %v", paid, err)
	}
}

// hurried is a program whose step pays within a limit, and that then waits for an hour.
type hurried struct{ limit time.Duration }

func (h hurried) Program() *compiled.Program {
	pay := func(context.Context, json.RawMessage) (json.RawMessage, error) {
		if err := os.WriteFile("paid", []byte("paid"), 0o600); err != nil {
			return nil, err
		}
		select {}
	}
	run := func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		end := fx.Limit("hurried", "buy", &runtime.Budget{Deadline: fx.Now().Add(h.limit), Within: h.limit})
		_, late := fx.Call(runtime.FuncCall{Name: "pay", Run: pay})
		end()
		if late != nil && !errs.Is[*errs.OvertimeError](late) {
			return runtime.Finish{}, late
		}
		_, err := fx.Ask(runtime.Question{ID: "rest", Agent: "hurried", Timeout: time.Hour, IsTimer: true, Choices: []string{"continue"}})

		return runtime.Finish{Key: "done", Value: fmt.Sprint(late)}, err
	}

	return &compiled.Program{Name: "hurried", Entry: "hurried", Shape: "s1", Text: "t1", Agents: []compiled.Agent{
		{Name: "hurried", Pattern: "workflow", Run: run, Questions: []string{"rest"}},
	}}
}

// TestHurriedProcess is the process that TestAKilledCallIsLate kills.
func TestHurriedProcess(*testing.T) {
	if os.Getenv("HURRIED") != "" {
		os.Exit(Options{}.Run(hurried{time.Hour}, []string{"run", "x"}, strings.NewReader(""), os.Stdout, os.Stderr))
	}
}

// A process is killed while a function works, and the time of the step is over before the run is
// resumed: nobody is asked about the function, and the wait after the step can be ended.
func TestAKilledCallIsLate(t *testing.T) {
	t.Chdir(t.TempDir())
	at := func(args ...string) (code int, out string) {
		var b strings.Builder
		code = Options{}.Run(hurried{time.Nanosecond}, args, strings.NewReader(""), &b, &b)

		return code, b.String()
	}
	killProcess(t, "HURRIED", "TestHurriedProcess")

	if code, out := at("resume", "last"); code != cli.Paused || strings.Contains(out, "unknown:pay") || !strings.Contains(out, `step "rest" waits until`) {
		t.Errorf("exit code %d, %s", code, out)
	}
	if _, out := at("runs"); strings.Contains(out, "unknown:pay") || !strings.Contains(out, "rest: waits until") {
		t.Errorf("runs: %s", out)
	}
	want := `step "buy" of workflow "hurried" took longer than 1ns` + "\n"
	if code, out := at("answer", "last", "rest", "continue"); code != cli.Done || !strings.HasSuffix(out, want) {
		t.Errorf("exit code %d, %s", code, out)
	}
}
