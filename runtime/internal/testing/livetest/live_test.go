package livetest

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
)

// source is where the example is.
const source = "../../../../examples/researcher"

// built is the example, which the first test that needs it builds.
var built = sync.OnceValues(func() (Program, error) { return Build(source) })

func TestMain(m *testing.M) {
	code := m.Run()
	if program, err := built(); err == nil {
		_ = program.Remove()
	}
	os.Exit(code)
}

// install is the program, and a folder in which it can run.
func install(t *testing.T) (program Program, folder string) {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	if err := program.Install(folder); err != nil {
		t.Fatal(err)
	}

	return program, folder
}

// run runs the program in a folder of its own, with nothing in its environment but this.
func run(t *testing.T, environment []string, arguments ...string) Ran {
	t.Helper()
	program, folder := install(t)

	return runIn(t, program, folder, environment, arguments...)
}

func runIn(t *testing.T, program Program, folder string, environment []string, arguments ...string) Ran {
	t.Helper()
	r, err := Run(program.Command(folder, environment, arguments...))
	if err != nil {
		t.Fatal(err)
	}

	return r
}

// eventsOf are the events of a run, which has come to its answer.
func eventsOf(t *testing.T, r Ran) []Event {
	t.Helper()
	all, err := r.Events()
	if err != nil || r.Exit != 0 || len(all) == 0 || all[len(all)-1].Value != Answer {
		t.Fatalf("%+v, %v", r, err)
	}

	return all
}

// of are the events of a kind.
func of(all []Event, kind string) (some []Event) {
	for _, e := range all {
		if e.Event == kind {
			some = append(some, e)
		}
	}

	return some
}

// eachKind runs a test with each kind of servers.
func eachKind(t *testing.T, test func(t *testing.T, k Kind)) {
	for _, k := range Kinds {
		t.Run(k.Name, func(t *testing.T) { test(t, k) })
	}
}

// TestOffline: without anything in the environment the script answers, and neither a model nor the server of the skill is there.
func TestOffline(t *testing.T) {
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	r := runIn(t, program, t.TempDir(), nil, "run", "--store", "none", Question)
	if r.Exit != 0 || !strings.HasPrefix(r.Stdout, "Statecharts add depth and orthogonality to state machines.\n") {
		t.Errorf("%+v", r)
	}
}

// TestLive: a model over the network answers, whole conversations of it, streamed; the tools run here, those of the skill's server in its
// process. What the environment says is all that is different.
func TestLive(t *testing.T) {
	eachKind(t, func(t *testing.T, k Kind) {
		s := wiretest.Serve(t, k.Converse)
		r := run(t, k.Environment(s.URL), "run", "--store", "none", "--json", Question)
		all := eventsOf(t, r)
		told := ""
		for _, e := range of(all, "delta") {
			told += e.Text
		}
		if want := "I look for it. Two papers. It is Harel's. "; told != want {
			t.Errorf("streamed %q", told)
		}
		turns := of(all, "model")
		if len(turns) != 6 || turns[0].Model != k.Model || turns[0].FinishReason != "tool_calls" || turns[5].Tokens.Input != 1000 {
			t.Errorf("%+v", turns)
		}
		if tools := of(all, "tool"); len(tools) != 8 || !strings.Contains(tools[7].Result, "STATEMATE") {
			t.Errorf("%+v", tools)
		}
		if n := len(s.Requests()); n != 6 {
			t.Errorf("%d requests", n)
		}
		keyless(t, r.Stdout+r.Stderr)
	})
}

// TestLiveGoesOn: a server that is overloaded, breaks off in the midst of a reply and asks to wait is asked again, and the run comes to
// the same answer.
func TestLiveGoesOn(t *testing.T) {
	eachKind(t, func(t *testing.T, k Kind) {
		s := wiretest.Serve(t, k.Troubled()...)
		r := run(t, k.Environment(s.URL), "run", "--store", "none", "--json", Question)
		if retries := of(eventsOf(t, r), "retry"); len(retries) != 3 {
			t.Errorf("%+v", retries)
		}
		keyless(t, r.Stdout+r.Stderr)
	})
}

// TestLiveFails: a key that nobody knows and a key that is not there are said to be that, and where they come from; the key is not said.
func TestLiveFails(t *testing.T) {
	eachKind(t, func(t *testing.T, k Kind) {
		s := wiretest.Serve(t, k.Refuse(401, "invalid key: "+Secret))
		r := run(t, k.Environment(s.URL), "run", "--store", "none", Question)
		if r.Exit != 1 || r.Stdout != "" || !strings.Contains(r.Stderr, "with the key of "+k.Key) {
			t.Errorf("%+v", r)
		}
		keyless(t, r.Stdout+r.Stderr)

		r = run(t, []string{"AGENTC_MODEL_DEFAULT_NAME=" + k.Model}, "run", "--store", "none", Question)
		if r.Exit == 0 || !strings.Contains(r.Stderr, k.Key) {
			t.Errorf("without a key: %+v", r)
		}
	})
}

// TestLiveWithoutServer: a program that cannot start the server of a skill says so before a model is asked.
func TestLiveWithoutServer(t *testing.T) {
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	s := wiretest.Serve(t, Kinds[0].Converse)
	r := runIn(t, program, t.TempDir(), Kinds[0].Environment(s.URL), "run", "--store", "none", Question)
	if r.Exit != 1 || !strings.Contains(r.Stderr, "bin/archive") || len(s.Requests()) != 0 {
		t.Errorf("%+v, %d requests", r, len(s.Requests()))
	}
}

// keyless reports an error if the key stands in what was written.
func keyless(t *testing.T, written string) {
	t.Helper()
	if at := strings.Index(written, Secret); at >= 0 {
		t.Errorf("the key is in what was written: …%s", written[max(0, at-200):at])
	}
}
