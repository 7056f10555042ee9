package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/client"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/serve"
)

// written is a log that tests can read while it is written.
type written struct {
	mu   sync.Mutex
	text strings.Builder
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.text.Write(p)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.text.String()
}

// of are the lines about a run: message, then what they say of status or type.
func (w *written) of(t *testing.T, run string) (lines []string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for line := range strings.Lines(w.text.String()) {
		var said struct{ Level, Msg, Run, Status, Type, Question string }
		if err := json.Unmarshal([]byte(line), &said); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if said.Run == run {
			lines = append(lines, strings.TrimSpace(strings.Join([]string{said.Level, said.Msg, said.Status, said.Type, said.Question}, " ")))
		}
	}

	return lines
}

func (w *written) want(t *testing.T, run string, want ...string) {
	t.Helper()
	if got := strings.Join(w.of(t, run), "\n"); strings.Join(strings.Fields(got), " ") != strings.Join(want, " ") {
		t.Errorf("the log of run %s is\n%s\nwant\n%s", run, got, strings.Join(want, "\n"))
	}
}

// The log has a line for what becomes of each run, with its id, and no text of people, models or tools.
func TestLog(t *testing.T) {
	log := &written{}
	store := journal.Memory()
	t.Setenv("DESK_API_KEY", "sk-0123456789-secret")
	failing := 1
	c := served(t, newDesk(), serve.Options{Store: store, Log: slog.New(slog.NewJSONHandler(log, nil)), Engine: engine.Options{
		Retry: model.Retry{First: 1},
		Model: model.ProviderFunc(func(_ context.Context, r model.Request) (model.Reply, error) {
			if failing--; failing >= 0 {
				return model.Reply{}, &model.Error{Class: model.Server, Status: 500, Message: "with sk-0123456789-secret"}
			}
			return model.Reply{Text: "what is private"}, nil
		}),
	}})
	run := c.start("pay", "also private")
	c.wait(run, client.Paused)
	log.want(t, run, "INFO run started", "WARN attempt failed",
		"WARN the server reports no usage: tokens and cost are estimated", "INFO run waits for an answer approve", "INFO run paused")
	c.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes"})
	c.wait(run, client.Done)
	log.want(t, run, "INFO run started", "WARN attempt failed",
		"WARN the server reports no usage: tokens and cost are estimated", "INFO run waits for an answer approve", "INFO run paused",
		"INFO run resumed", "INFO run ended done")
	failed := c.start("fails", "x")
	c.wait(failed, client.Failed)
	log.want(t, failed, "INFO run started", "WARN the server reports no usage: tokens and cost are estimated", "ERROR run failed StepLimitError")
	c.do("POST", "/runs", args{"agent": "nobody", "input": "x", "run": "r1"})
	log.want(t, "r1", "WARN run not started UnknownAgentError")
	if text := log.text.String(); strings.Contains(text, "private") || strings.Contains(text, "secret") {
		t.Errorf("the log says %s", text)
	}
}

// On the command line the log is text, JSON, all of whose lines are objects, or nothing but where the server is.
func TestLogFlag(t *testing.T) {
	for _, form := range []string{"text", "json", "none"} {
		cmd := commandOf(t, "--log", form, "--store", t.TempDir())
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		serving := false
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			text := lines.Text()
			if form == "json" && !json.Valid([]byte(text)) {
				t.Errorf("%s is not JSON", text)
			}
			if strings.Contains(text, "serving runs at http://127.0.0.1:") && !serving {
				serving = true
				_ = cmd.Process.Signal(os.Interrupt)
			}
			if form == "none" && strings.Contains(text, "msg") {
				t.Errorf("without a log it says %s", text)
			}
		}
		if err := cmd.Wait(); err != nil || !serving {
			t.Errorf("--log %s: %v, serving: %v", form, err, serving)
		}
	}
}

// A server whose runs lack something does not start: it reports what is missing, also without a log, with exit code 1.
func TestMissingAtStart(t *testing.T) {
	file := t.TempDir() + "/file" // which is no store
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]string{"text": file, "json": `"msg":"not ready","type":"StoreError","error":"`, "none": file} {
		cmd := commandOf(t, "--log", form, "--store", file)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		_ = cmd.Run()
		said := stderr.String()
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(said, want) || strings.Contains(said, "serving") {
			t.Errorf("--log %s: exit code %d, %s", form, cmd.ProcessState.ExitCode(), said)
		}
	}
}
