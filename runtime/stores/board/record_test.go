package board

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

// fillFolder fills a folder with a record, as a board would, and returns its file.
func fillFolder(t *testing.T, dir string) string {
	t.Helper()
	log, err := audit.Open(t.Context(), audit.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if err := log.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer log.End()
	err = log.Append([]*audit.Entry{
		{Time: at, Kind: audit.Create, Result: audit.Accepted, ID: "desk/1", To: "draft", Version: 1, Snapshot: json.RawMessage("{}")},
		{Time: at, Kind: audit.Transition, Result: audit.Accepted, ID: "desk/1", Agent: "rita", Identity: "rita", Key: "close",
			From: "draft", Version: 2, Snapshot: json.RawMessage("{}")},
		{Time: at, Kind: audit.Transition, Result: audit.Denied, ID: "desk/2", Agent: "rita", Identity: "eve", Key: "open",
			From: "draft", Error: "no\x1b[2J"},
		{Time: at, Kind: audit.Transition, Result: audit.Accepted, ID: "desk/2", Agent: drive.AgentTimer, Key: "timeout", From: "draft", To: "late"},
		{Time: at, Kind: audit.Write, Result: audit.Accepted, Key: "plan", Value: "1", Agent: "bob"},
	})
	if err != nil {
		t.Fatal(err)
	}

	return filepath.Join(dir, "record.jsonl")
}

// recordCommandIn runs the command record in a folder with a record that change has seen.
func recordCommandIn(t *testing.T, args string, change func(string) string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	path := fillFolder(t, filepath.Join(dir, audit.DefaultDir))
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, err := audit.Verify(strings.NewReader(string(content)), nil)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"head.json": `{"seq":5,"hash":"` + head.Hash + `"}`, "other.json": `{"seq":4,"hash":"` + head.Hash + `"}`,
		"none.json": `{}`, path: change(string(content)),
	}
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	program := &cli.Program{Name: "desk", Commands: []*cli.Command{RecordCommand("desk")}}
	env := &cli.Env{Dir: dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
	code = program.Run(env, append([]string{"record"}, strings.Fields(args)...))

	return code, out.String(), errs.String()
}

func TestRecord(t *testing.T) {
	same := func(text string) string { return text }
	lines := func(keep ...int) func(string) string {
		return func(text string) (kept string) {
			all := strings.SplitAfter(text, "\n")
			for _, i := range keep {
				kept += all[i-1]
			}
			return kept
		}
	}
	shown := `1 2026-03-01T12:00:00Z create desk/1: draft
2 2026-03-01T12:00:00Z transition desk/1: draft --close--> end by rita
3 2026-03-01T12:00:00Z transition desk/2: draft --open--> by eve as rita denied: noU+001B[2J
4 2026-03-01T12:00:00Z transition desk/2: draft --timeout--> late by timer
5 2026-03-01T12:00:00Z write plan by bob (without credential)
`
	const path = ".agentc/board/record.jsonl: "
	tests := []struct {
		name, args     string
		change         func(string) string
		code           int
		stdout, stderr string
	}{
		{"whole", "verify", same, cli.Done, `{"seq":5,"hash":"`, ""},
		{"whole, with an anchor", "verify --anchor head.json", same, cli.Done, `{"seq":5,"hash":"`, ""},
		{"an edit", "verify", func(s string) string { return strings.Replace(s, "draft", "drift", 1) }, cli.Problem, "",
			"desk: entry 1: " + path + "line 1 (at byte 0): its hash does not fit: it was changed\n"},
		{"a line removed", "verify", lines(1, 2, 4, 5), cli.Problem, "", "desk: entry 3: " + path + "line 3 (at byte "},
		{"lines exchanged", "verify", lines(1, 3, 2, 4, 5), cli.Problem, "", "it is entry 3 where 2 should be"},
		{"a hash stripped", "verify", func(s string) string { return strings.Replace(s, `"hash"`, `"h"`, 1) }, cli.Problem, "", "it has no hash"},
		{"a tail cut", "verify", lines(1, 2, 3), cli.Done, `{"seq":3,`, ""},
		{"a tail cut, with an anchor", "verify --anchor head.json", lines(1, 2, 3), cli.Problem, "",
			"desk: entry 4: " + path + "it ends with entry 3, but the anchor knows entry 5: its tail was cut off\n"},
		{"another anchor", "verify --anchor other.json", same, cli.Problem, "", "entry 4: " + path + "line 4"},
		{"no anchor", "verify --anchor none.json", same, cli.Usage, "", "it is not the head of a record"},
		{"a missing anchor", "verify --anchor a.json", same, cli.Usage, "", "there is no such file"},
		{"show", "show", same, cli.Done, shown, ""},
		{"show one", "show --id desk/1", same, cli.Done, strings.Join(strings.SplitAfter(shown, "\n")[:2], ""), ""},
		{"show up to the damage", "show", lines(1, 3), cli.Problem, strings.SplitAfter(shown, "\n")[0], "desk: entry 2: "},
		{"another store", "verify --store nowhere", same, cli.Usage, "", "there is no record in nowhere"},
		{"another word", "prove", same, cli.Usage, "", "verify or show?"},
		{"no word", "", same, cli.Usage, "", "verify or show?"},
		{"flags of the other", "show --anchor head.json", same, cli.Usage, "", "--anchor belongs to verify"},
		{"flags of the one", "verify --id x", same, cli.Usage, "", "--id belongs to show"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, stdout, stderr := recordCommandIn(t, test.args, test.change)
			if code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			if !strings.HasPrefix(stdout, test.stdout) || test.stdout == "" && stdout != "" || strings.Count(stdout, "\n") > strings.Count(test.stdout+"\n", "\n") {
				t.Errorf("stdout = %q, want %q", stdout, test.stdout)
			}
			if !strings.Contains(stderr, test.stderr) || (test.stderr == "") != (stderr == "") {
				t.Errorf("stderr = %q, want %q", stderr, test.stderr)
			}
		})
	}
}
