package livetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/wiretest"
)

// binary builds the example, and returns where it is.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "researcher-*")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "researcher.exe")
	out, err := exec.Command("go", "build", "-C", "../../../examples/researcher", "-o", file, ".").CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}

	return file, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if file, err := binary(); err == nil {
		_ = os.RemoveAll(filepath.Dir(file))
	}
	os.Exit(code)
}

// ran is what came of running the binary.
type ran struct {
	stdout, stderr string
	exit           int
}

const question = "Who extended state machines?"

// run runs the binary in a folder of its own, with nothing in its environment but this.
func run(t *testing.T, environment []string, arguments ...string) (r ran) {
	t.Helper()
	file, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(file, arguments...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(environment, "PATH="+os.Getenv("PATH"), "HOME="+cmd.Dir, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	if err != nil {
		t.Fatal(err)
	}

	return ran{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// event is a line of --json.
type event struct {
	Event, Name, Text, Value, Model, Result, Error string
	FinishReason                                   string `json:"finish_reason"`
	Tokens                                         struct{ Input, Output, Cached, Stored int }
}

// events are the lines of --json.
func (r ran) events(t *testing.T) (all []event) {
	t.Helper()
	for line := range strings.Lines(r.stdout) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, e)
	}

	return all
}

// of are the events of a kind.
func of(all []event, kind string) (some []event) {
	for _, e := range all {
		if e.Event == kind {
			some = append(some, e)
		}
	}

	return some
}

// TestOffline: without anything in the environment the script answers, as it always has.
func TestOffline(t *testing.T) {
	r := run(t, nil, "run", "--store", "none", question)
	if r.exit != 0 || r.stdout != answer+"\n" {
		t.Errorf("%+v", r)
	}
}

// TestLive: a model over the network answers, whole conversations of it, streamed; the tools run here. What the environment says is all
// that is different.
func TestLive(t *testing.T) {
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			s := wiretest.Serve(t, server.converse)
			r := run(t, server.environment(s), "run", "--store", "none", "--json", question)
			all := r.events(t)
			if r.exit != 0 || len(all) == 0 || all[len(all)-1].Value != answer {
				t.Fatalf("%+v", r)
			}
			told := ""
			for _, e := range of(all, "delta") {
				told += e.Text
			}
			if want := "I look for it. Two papers. It is Harel's. "; told != want {
				t.Errorf("streamed %q", told)
			}
			turns := of(all, "model")
			if len(turns) != 5 || turns[0].Model != server.model || turns[0].FinishReason != "tool_calls" || turns[4].Tokens.Input != 1000 {
				t.Errorf("%+v", turns)
			}
			if tools := of(all, "tool"); len(tools) != 6 || !strings.Contains(tools[2].Result, "harel-1987") {
				t.Errorf("%+v", tools)
			}
			if n := len(s.Requests()); n != 5 {
				t.Errorf("%d requests", n)
			}
			keyless(t, r)
		})
	}
}

// TestLiveGoesOn: a server that is overloaded, breaks off in the midst of a reply and asks to wait is asked again, and the run comes to
// the same answer.
func TestLiveGoesOn(t *testing.T) {
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			s := wiretest.Serve(t, server.troubled()...)
			r := run(t, server.environment(s), "run", "--store", "none", "--json", question)
			all := r.events(t)
			if r.exit != 0 || len(all) == 0 || all[len(all)-1].Value != answer || len(of(all, "retry")) != 3 {
				t.Errorf("%+v", r)
			}
			keyless(t, r)
		})
	}
}

// TestLiveFails: a key that nobody knows and a key that is not there are said to be that, and where they come from; the key is not said.
func TestLiveFails(t *testing.T) {
	for name, server := range servers {
		t.Run(name, func(t *testing.T) {
			s := wiretest.Serve(t, server.refuse(401, "invalid key: "+secret))
			r := run(t, server.environment(s), "run", "--store", "none", question)
			if r.exit != 1 || r.stdout != "" || !strings.Contains(r.stderr, "the key is that of "+server.key) {
				t.Errorf("%+v", r)
			}
			keyless(t, r)

			r = run(t, []string{"AGENTC_MODEL_DEFAULT_NAME=" + server.model}, "run", "--store", "none", question)
			if r.exit == 0 || !strings.Contains(r.stderr, server.key) {
				t.Errorf("without a key: %+v", r)
			}
		})
	}
}

// keyless reports an error if the key stands in what a run has written.
func keyless(t *testing.T, r ran) {
	t.Helper()
	if strings.Contains(r.stdout+r.stderr, secret) {
		t.Errorf("the key is in %+v", r)
	}
}
