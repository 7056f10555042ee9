package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
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
		"INFO question answered approve", "INFO run resumed", "INFO run ended done")
	failed := c.start("fails", "x")
	c.wait(failed, client.Failed)
	log.want(t, failed, "INFO run started", "WARN the server reports no usage: tokens and cost are estimated", "ERROR run failed StepLimitError")
	c.do("POST", "/runs", args{"agent": "nobody", "input": "x", "run": "r1"})
	log.want(t, "r1", "WARN run not started UnknownAgentError")
	if text := log.text.String(); strings.Contains(text, "private") || strings.Contains(text, "secret") {
		t.Errorf("the log says %s", text)
	}
}

// The lines about a run name the agent and the caller who started, answered or cancelled it, and at its end what it took and cost.
func TestLogOfEnds(t *testing.T) {
	log := &written{}
	o := serve.Options{Log: slog.New(slog.NewJSONHandler(log, nil)), Engine: engine.Options{
		Model: model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
			return model.Reply{Text: "7", Usage: model.Usage{Input: 11, Output: 5}, Cost: 4500}, nil
		}),
	}}
	c := withTokens(t, o)
	c.token = adaToken
	run := c.start("pay", "7")
	c.wait(run, client.Paused)
	c.want(http.StatusOK, "POST", "/runs/"+run+"/answers", args{"question": "approve", "value": "yes"})
	c.wait(run, client.Done)
	cancelled := c.start("pay", "8")
	c.wait(cancelled, client.Paused)
	c.want(http.StatusAccepted, "POST", "/runs/"+cancelled+"/cancel", nil)
	c.wait(cancelled, client.Cancelled)
	working := c.start("slow", "9")
	c.want(http.StatusAccepted, "POST", "/runs/"+working+"/cancel", nil)
	c.want(http.StatusAccepted, "POST", "/runs/"+working+"/cancel", nil)
	c.wait(working, client.Cancelled)
	for _, id := range []string{cancelled, working} {
		line := regexp.MustCompile(`.*"msg":"run cancelled","run":"` + id + `","agent":"[a-z]+","by":"ada",.*"type":"CancelledError"`)
		if n := len(line.FindAllString(log.String(), -1)); n != 1 {
			t.Errorf("%d lines say that %s was cancelled by ada:\n%s", n, id, log)
		}
	}
	if got := c.metrics(); !strings.Contains(got, `agentc_runs_ended_total{agent="pay",status="cancelled"} 1`+"\n") {
		t.Errorf("a paused run that was cancelled is not counted:\n%s", got)
	}

	type line struct {
		Msg, Run, Agent, By string
		TokensIn            int      `json:"tokens_in"`
		TokensOut           int      `json:"tokens_out"`
		Cost                float64  `json:"cost_usd"`
		Duration            *float64 `json:"duration_ms"`
	}
	said := map[string]line{}
	for text := range strings.Lines(log.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(text, err)
		}
		if l.Run == run || l.Run == cancelled && l.Msg == "run cancelled" {
			said[l.Msg] = l
		}
	}
	for message, by := range map[string]string{"run started": "ada", "question answered": "ada", "run resumed": "ada", "run ended": "", "run cancelled": "ada"} {
		if got, ok := said[message]; !ok || got.By != by {
			t.Errorf("%q: %+v", message, got)
		}
	}
	for _, message := range []string{"run paused", "run ended", "run cancelled"} {
		got := said[message]
		if got.Agent != "pay" || got.TokensIn != 11 || got.TokensOut != 5 || got.Cost != 0.0045 || got.Duration == nil {
			t.Errorf("%q: %+v", message, got)
		}
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
		serving, isShared := false, false
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			text := lines.Text()
			if form == "json" && !json.Valid([]byte(text)) {
				t.Errorf("%s is not JSON", text)
			}
			if _, address, found := strings.Cut(text, "serving runs at "); found && !serving {
				serving = true
				postRun(t, strings.TrimRight(address, "\"}"))
			}
			if strings.Contains(text, "said by a function") {
				isShared = isShared || strings.Contains(text, "level") && strings.Contains(text, "time")
			}
			if strings.Contains(text, "run ended") || strings.Contains(text, "said by") && form == "none" {
				_ = cmd.Process.Signal(os.Interrupt)
			}
			if form == "none" && strings.Contains(text, "msg") {
				t.Errorf("without a log it says %s", text)
			}
		}
		if err := cmd.Wait(); err != nil || !serving || isShared != (form != "none") {
			t.Errorf("--log %s: %v, serving: %v, lines of the program in its form: %v", form, err, serving, isShared)
		}
	}
}

// postRun starts a run of the agent that writes to the default logger.
func postRun(t *testing.T, address string) {
	t.Helper()
	reply, err := http.Post(address+"/runs", "application/json", strings.NewReader(`{"agent": "logs", "input": "x"}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = reply.Body.Close()
	if reply.StatusCode != http.StatusCreated {
		t.Fatal(reply.Status)
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
