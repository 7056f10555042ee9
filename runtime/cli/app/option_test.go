package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// withOptions runs a command line of the desk, and returns what it says.
func withOptions(t *testing.T, line string, options Options) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(t.TempDir())
	var out, problems strings.Builder
	code = options.Run(desk{}, strings.Fields(line), strings.NewReader(""), &out, &problems)

	return code, out.String(), problems.String()
}

func says(text string) model.Provider {
	return model.ProviderFunc(func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{Text: text}, nil
	})
}

type events int

func (n *events) Observe(event.Event) { *n++ }

type yes struct{}

func (yes) Ask(context.Context, runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: "yes"}, nil
}

// TestEngineOptions: what the main program says counts for each command, and flags count more.
func TestEngineOptions(t *testing.T) {
	store, seen := journal.Memory(), events(0)
	own := Options{Engine: engine.Options{Model: says("own"), Store: store, Observers: []event.Observer{&seen}, Asker: yes{}}}
	names := func() int {
		runs, err := store.List(t.Context(), journal.Query{})
		if err != nil {
			t.Fatal(err)
		}
		return len(runs)
	}

	if code, stdout, stderr := withOptions(t, "run task", own); code != cli.Done || stdout != "own\n" || seen == 0 || names() != 1 {
		t.Errorf("code %d, stdout %q, %d events, %d runs, stderr %s", code, stdout, seen, names(), stderr)
	}
	if _, stdout, stderr := withOptions(t, "runs", own); strings.Count(stdout, "\n") != 2 {
		t.Errorf("the runs are %q, stderr %s", stdout, stderr)
	}
	if code, stdout, stderr := withOptions(t, "run --agent approve task", own); code != cli.Done || stdout != "yes to task\n" {
		t.Errorf("code %d, stdout %q, stderr %s", code, stdout, stderr)
	}
	if code, _, stderr := withOptions(t, "run --store other task", own); code != cli.Done || names() != 2 {
		t.Errorf("code %d, %d runs, stderr %s", code, names(), stderr)
	}
	if code, _, stderr := withOptions(t, "run --script missing.json task", own); code != cli.Usage || names() != 2 {
		t.Errorf("code %d, %d runs, stderr %s", code, names(), stderr)
	}
}

// TestEngineProblems: what a provider does wrong while it is opened is reported before the run.
func TestEngineProblems(t *testing.T) {
	for name, opener := range map[string]model.Opener{
		"panicked": func(model.Model, func(string) (string, bool)) (model.Provider, error) { panic("no key file") },
		"refused": func(model.Model, func(string) (string, bool)) (model.Provider, error) {
			return nil, errors.New("no key file")
		},
	} {
		t.Setenv("AGENTC_MODEL_DEFAULT_NAME", "acme:m")
		code, stdout, stderr := withOptions(t, "run --store none task", Options{Engine: engine.Options{Providers: map[string]model.Opener{"acme": opener}}})
		if code != cli.Problem || stdout != "" || !strings.Contains(stderr, "no key file") || name == "panicked" && !strings.Contains(stderr, "the provider acme") {
			t.Errorf("%s: code %d, stderr %s", name, code, stderr)
		}
	}
	both := Options{Engine: engine.Options{Model: says("x"), Script: `{"*": [{"say": "x"}]}`}}
	if code, _, stderr := withOptions(t, "run task", both); code != cli.Problem || !strings.Contains(stderr, "Model, Script") {
		t.Errorf("code %d, stderr %s", code, stderr)
	}
}

func TestOwnCommands(t *testing.T) {
	greet := func(name string) *cli.Command {
		return &cli.Command{Name: name, Summary: "greet a person", Run: func(c *cli.Call) error {
			fmt.Fprintln(c.Stdout, "good morning")
			return nil
		}}
	}
	for _, test := range []struct {
		line           string
		commands       []*cli.Command
		code           int
		stdout, stderr string
	}{
		{"greet", []*cli.Command{greet("greet")}, cli.Done, "good morning\n", ""},
		{"serve", []*cli.Command{greet("serve")}, cli.Done, "good morning\n", ""},
		{"--help", []*cli.Command{greet("greet")}, cli.Done, "greet a person", ""},
		{"version", []*cli.Command{greet("run")}, cli.Failure, "", "there is a command run already"},
		{"version", []*cli.Command{greet("greet"), greet("greet")}, cli.Failure, "", "there is a command greet already"},
		{"version", []*cli.Command{{Name: "idle"}}, cli.Failure, "", `command "idle" lacks a name or a function Run`},
	} {
		code, stdout, stderr := withOptions(t, test.line, Options{Commands: test.commands})
		if code != test.code || !strings.Contains(stdout, test.stdout) || !strings.Contains(stderr, test.stderr) {
			t.Errorf("%s: code %d, stdout %q, stderr %q", test.line, code, stdout, stderr)
		}
	}
}
