package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/examples/coder/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// diary notes what the gate does, and what it refuses: by state, then action, the answer.
type diary struct {
	state   string
	states  []string
	refused map[string]map[string]string
}

func newDiary() *diary {
	return &diary{state: agents.CoderStateIdle.String(), refused: map[string]map[string]string{}}
}

func (d *diary) Observe(e event.Event) {
	switch {
	case e.Kind == event.Transition:
		d.state = e.To
		d.states = append(d.states, e.To)
	case e.Kind == event.Tool && e.Problem != "":
		if d.refused[d.state] == nil {
			d.refused[d.state] = map[string]string{}
		}
		d.refused[d.state][e.Name] += e.Problem + "\n"
	case e.Kind == event.Repair:
		d.refused[d.state]["text"] = e.Problem
	}
}

// run runs the agent with a script.
func run(t *testing.T, script string) (runtime.Finish, *workspace, *diary) {
	t.Helper()
	w, seen := newWorkspace(), newDiary()
	fin, err := agents.New(w, w).RunCoder(simulate.New(t, script, seen), "Write a greeting.")
	if err != nil {
		t.Fatal(err)
	}

	return fin, w, seen
}

// runForbidden runs the agent with the script that tries what it must not do.
func runForbidden(t *testing.T) (runtime.Finish, *workspace, *diary) {
	t.Helper()
	script, err := os.ReadFile("scripts/forbidden.json")
	if err != nil {
		t.Fatal(err)
	}

	return run(t, string(script))
}

func TestTheWholeWay(t *testing.T) {
	fin, w, seen := run(t, agents.New(nil, nil).Program().Scripts["scripts/happy.yaml"])
	if want := `{"passed":true,"summary":"hello.go greets, and hello_test.go says so."}`; fin.Value != want {
		t.Errorf("finished with %s", fin.Value)
	}
	if _, exists := w.files["old.go"]; exists || len(w.files) != 2 {
		t.Errorf("the files are %v", w.files)
	}
	want := "researched researched written written tested written tested proposed cleaned tested "
	if got := strings.Join(seen.states, " "); got != want {
		t.Errorf("the way was %q", got)
	}
}

// TestTheOutputIsTyped: what the agent finishes with comes out as a Go struct.
func TestTheOutputIsTyped(t *testing.T) {
	w := newWorkspace()
	app := agents.New(w, w)
	eng := engine.New(engine.Options{Script: app.Program().Scripts["scripts/happy.yaml"]})
	out, err := app.Coder(t.Context(), eng, "Write a greeting.")
	want := agents.CoderOutput{Passed: true, Summary: "hello.go greets, and hello_test.go says so."}
	if err != nil || out.Key != agents.CoderKeyDone || out.Output != want {
		t.Errorf("finished with %+v, %v", out, err)
	}
}

// TestEveryForbiddenOrder tries in each state every action that the state does not have: each attempt is answered, nothing is
// executed but what the states have, and the script leaves no pair of state and action out.
func TestEveryForbiddenOrder(t *testing.T) {
	fin, w, seen := runForbidden(t)
	if want := `{"passed":true,"summary":"Now it is so."}`; fin.Value != want {
		t.Errorf("finished with %s", fin.Value)
	}
	ran := []string{
		"research", "write_file", "run_tests", "write_file", "run_tests", "write_file", "run_tests", "write_file", "write_file",
		"run_tests", "propose_deletion", "delete_files", "run_tests",
	}
	if !slices.Equal(w.ran, ran) {
		t.Errorf("executed were %q", w.ran)
	}

	pairs := 0
	for state := agents.CoderStateIdle; state <= agents.CoderStateCleaned; state++ {
		for _, action := range allActions() {
			if slices.Contains(state.Keys(), action) {
				continue
			}
			pairs++
			want := `"` + string(action) + `" is not possible in state "` + state.String() + `". Valid actions: `
			if got := seen.refused[state.String()][string(action)]; !strings.Contains(got, want) {
				t.Errorf("%s in %s was answered %q", action, state, got)
			}
		}
	}
	if pairs != 24 {
		t.Errorf("%d orders are forbidden", pairs)
	}
}

// allActions are the actions of all states.
func allActions() []agents.CoderKey {
	var all []agents.CoderKey
	for state := agents.CoderStateIdle; state <= agents.CoderStateCleaned; state++ {
		for _, key := range state.Keys() {
			if !slices.Contains(all, key) {
				all = append(all, key)
			}
		}
	}

	return all
}

// TestWhatGuardsRefuse holds what the guards say of the same script, and the person.
func TestWhatGuardsRefuse(t *testing.T) {
	_, w, seen := runForbidden(t)
	for _, c := range []struct{ state, action, reason string }{
		{"tested", "propose_deletion", "tests-pass: the tests fail"},
		{"tested", "finish", "report-is-true: the tests do not pass"},
		{"tested", "finish", "report-is-true: there are retries left"},
		{"tested", "finish", "report-is-true: the tests pass"},
		{"tested", "write_file", `visits["tested"] <= 3: false (visits["tested"] = 4)`},
		{"proposed", "delete_files", "was-proposed: nobody has proposed to delete a.go"},
		{"proposed", "delete_files", "A person was asked and did not allow this call."},
		{"idle", "text", `plain text would end the work, and "finish" is not possible in state "idle"`},
	} {
		if got := seen.refused[c.state][c.action]; !strings.Contains(got, c.reason) {
			t.Errorf("%s in %s was answered %q, not %q", c.action, c.state, got, c.reason)
		}
	}
	if len(w.files) != 2 || w.files["a.go"] != "package a" {
		t.Errorf("the files are %v", w.files)
	}
}
