package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}

	return string(text)
}

// TestRecordAndReplay: a run that is recorded, paused, answered and gone on with can be played again, and so can the recording that is made
// of its journal, which is the same.
func TestRecordAndReplay(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	scripts(t, map[string]string{"s.json": noAnswer})
	k := &clerk{shape: "s1"}
	code, _, stderr := k.at("run", "--script", "s.json", "--record", "r.jsonl", "write to ada")
	if code != cli.Paused || !strings.Contains(stderr, "approve yes --script s.json --record r.jsonl\n") {
		t.Fatal(code, stderr)
	}
	if code, stdout, stderr := k.at("answer", "last", "approve", "yes", "--script", "s.json", "--record", "r.jsonl"); code != cli.Done {
		t.Fatal(code, stdout, stderr)
	}
	recorded := read(t, "r.jsonl")
	if strings.Count(recorded, "\n") != 2 || !strings.Contains(recorded, `"model":"script:none"`) || !strings.Contains(recorded, `"reply":{"text":"a letter"`) {
		t.Fatal(recorded)
	}

	if code, _, stderr := k.at("runs", "export", "last", "-o", "e.jsonl"); code != cli.Done || !strings.Contains(stderr, "is recorded in e.jsonl") {
		t.Fatal(code, stderr)
	}
	if exported := read(t, "e.jsonl"); exported != recorded {
		t.Errorf("exported\n%s\nrecorded\n%s", exported, recorded)
	}

	for _, file := range []string{"r.jsonl", "e.jsonl"} {
		code, stdout, stderr := k.at("run", "--replay", file, "--json", "write to ada")
		if code != cli.Paused || !strings.Contains(stdout, `"event":"model"`) || !strings.Contains(stdout, `"event":"delta"`) {
			t.Fatal(code, stdout, stderr)
		}
		if code, stdout, stderr := k.at("answer", "last", "approve", "no", "--replay", file); code != cli.Done || stdout != "a letter: no\n" {
			t.Fatal(code, stdout, stderr)
		}
	}

	code, stdout, stderr := k.at("run", "--replay", "r.jsonl", "write to bob")
	const diff = " message 1, user:\n-write to ada\n+write to bob\n"
	if code != cli.Problem || stdout != "" || !strings.Contains(stderr, `r.jsonl has no reply to what agent "draft" asks; the request of line 2 is the nearest`) ||
		!strings.Contains(stderr, diff) {
		t.Error(code, stdout, stderr)
	}
}

// TestRecordingFlags: what cannot be is said before anything runs, and nothing is written over.
func TestRecordingFlags(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	const recorded = `{"format":"agentc-recording","version":1,"program":"clerk"}` + "\n"
	files := map[string]string{
		"s.json": agrees, "thesis.txt": "my thesis\n", "r.jsonl": recorded, "other.jsonl": strings.Replace(recorded, "clerk", "desk", 1),
	}
	scripts(t, files)
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	k := &clerk{shape: "s1"}
	if code, _, stderr := k.at("run", "--script", "s.json", "x"); code != cli.Done {
		t.Fatal(stderr)
	}
	for args, want := range map[string]struct {
		code int
		text string
	}{
		"run --script s.json --replay r.jsonl x":     {cli.Usage, "--script and --replay both answer instead of the models"},
		"run --record r.jsonl --replay ./r.jsonl x":  {cli.Usage, "--record and --replay are the same file"},
		"run --replay none.jsonl x":                  {cli.Usage, "--replay none.jsonl: there is no such file"},
		"run --replay thesis.txt x":                  {cli.Problem, "--replay: thesis.txt, line 1: it is not a recording"},
		"run --replay r.jsonl x":                     {cli.Problem, `r.jsonl has no reply to what agent "draft" asks: it holds no requests`},
		"run --record thesis.txt --script s.json x":  {cli.Problem, "--record: thesis.txt, line 1: it is not a recording"},
		"run --record folder --script s.json x":      {cli.Problem, "--record: folder, line 1: it is not a file that could be a recording"},
		"run --record no/r.jsonl --script s.json x":  {cli.Usage, "--record no/r.jsonl: there is no such folder"},
		"run --record other.jsonl --script s.json x": {cli.Problem, `other.jsonl is a recording of program "desk", and nothing of "clerk" is added to it`},
		"runs export":                                {cli.Usage, "which run?"},
		"runs export last":                           {cli.Usage, "Name its file with -o FILE"},
		"runs export nothing -o new.jsonl":           {cli.Usage, `there is no run "nothing"`},
		"runs show last -o new.jsonl":                {cli.Usage, "-o does not belong to runs show"},
		"runs exprot":                                {cli.Usage, "did you mean \"export\"?"},
		"runs export last -o thesis.txt":             {cli.Problem, "thesis.txt, line 1: it is not a recording"},
		"runs export last --store none -o new.jsonl": {cli.Usage, "there are no runs without a store"},
	} {
		code, stdout, stderr := k.at(strings.Fields(args)...)
		if code != want.code || stdout != "" || !strings.Contains(stderr, want.text) {
			t.Errorf("%s: %d\n%s%s", args, code, stdout, stderr)
		}
	}
	for name, text := range files {
		if got := read(t, name); got != text {
			t.Errorf("%s is now %q", name, got)
		}
	}
	if names, _ := filepath.Glob("*.jsonl"); len(names) != 2 {
		t.Errorf("there are %v", names)
	}
}

// TestExportRefuses: a program of another shape is not the one that has run.
func TestExportRefuses(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	scripts(t, map[string]string{"s.json": agrees})
	if code, _, stderr := (&clerk{shape: "s1"}).at("run", "--script", "s.json", "x"); code != cli.Done {
		t.Fatal(stderr)
	}
	code, _, stderr := (&clerk{shape: "s2"}).at("runs", "export", "last", "-o", "e.jsonl")
	if code != cli.Problem || !strings.Contains(stderr, "shape") {
		t.Error(code, stderr)
	}
	if _, err := os.Stat("e.jsonl"); !os.IsNotExist(err) {
		t.Error(err)
	}
}
