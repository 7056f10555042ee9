//go:build unix

package app

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
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

// A process is killed while a tool works. The answer done VALUE ends the run, and the tool has run once.
func TestAKilledCallIsAnswered(t *testing.T) {
	t.Chdir(t.TempDir())
	at := func(args ...string) (code int, out string) {
		var b strings.Builder
		code = Options{}.Run(payer{}, args, strings.NewReader(""), &b, &b)

		return code, b.String()
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestPayerProcess$")
	cmd.Env = append(os.Environ(), "PAYER=1")
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
