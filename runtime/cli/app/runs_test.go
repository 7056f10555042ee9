package app

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// goldenFile returns what compares with a file of testdata, and sees that text can be read on a terminal of 80 columns. It is found
// from wherever the test goes.
func goldenFile(t *testing.T, name string) func(got string) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "show", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}

	return func(got string) {
		t.Helper()
		tree, _, _ := strings.Cut(got, "\nresult")
		for line := range strings.Lines(tree) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("the line is wider than 80 columns: %s", line)
			}
		}
		golden.Compare(t, path, got)
	}
}

// shop is a folder with a store of runs in each state.
func shop(t *testing.T) journal.Store {
	t.Helper()
	t.Chdir(t.TempDir())
	store := journal.Files(filepath.FromSlash(journal.DefaultDir))
	leaveRun(t, store, noon, deskRun("20251122-done")...)
	leaveRun(t, store, noon.Add(time.Hour), begin("20251122-paused", "both"), asks("1.0.1", "approve@0", "May I?"),
		asks("1.1.1", "approve@1", "And now?"), rec(journal.Answer, "1.0.1", "approve@0", "value", "no"), ends("paused"))
	leaveRun(t, store, noon.Add(2*time.Hour), begin("20251123-cancelled", "desk"), enter("", "desk", "draft"), ends("cancelled"))
	leaveRun(t, store, noon.Add(3*time.Hour), begin("20251123-broken", "desk"), enter("", "desk", "draft"), ends("paused"),
		rec(journal.Opened, "", "", "shape", "s1"), rec(journal.Intent, "1", "model", "what", "draft"))
	leaveRun(t, store, noon.Add(4*time.Hour), begin("20251124-failed", "desk"), ends("failed", "error", "no\x1b[2J money", "error_type", "BudgetError"))
	owner := keepRun(t, store, noon.Add(5*time.Hour), begin("20251124-running", "desk"), enter("", "desk", "polish"))
	t.Cleanup(func() { _ = owner.Close() })

	return store
}

// shopCommand runs APP in the folder that it is in.
func shopCommand(args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = Options{}.Run(desk{}, args, strings.NewReader(""), &out, &errs)

	return code, out.String(), errs.String()
}

// A list of runs can be one of an agent, of those that were started lately, or both.
func TestRunsThatAreAskedFor(t *testing.T) {
	store := shop(t)
	leaveRun(t, store, time.Now().Add(-time.Hour), begin("20991231-new", "both"), ends("failed"))
	for args, want := range map[string]string{
		"--agent both": "20991231-new 20251122-paused", "--since 2h": "20991231-new", "--since 30m": "",
		"--agent both --status paused": "20251122-paused", "--agent none": "", "--agent desk --since 2h": "",
	} {
		code, stdout, stderr := shopCommand(append([]string{"runs", "--json"}, strings.Fields(args)...)...)
		var got []string
		for line := range strings.Lines(stdout) {
			var run client.Run
			if err := json.Unmarshal([]byte(line), &run); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			got = append(got, run.ID)
		}
		if code != cli.Done || strings.Join(got, " ") != want {
			t.Errorf("%s: exit code %d, %q, want %s; %s", args, code, got, want, stderr)
		}
	}
	if code, _, stderr := shopCommand("runs", "--since", "yesterday"); code != cli.Usage || !strings.Contains(stderr, `--since "yesterday" is not a duration such as 30s`) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

func TestRunsLists(t *testing.T) {
	store := shop(t)
	code, stdout, stderr := shopCommand("runs", "--json")
	if code != cli.Done || stderr != "" {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	var got []string
	for line := range strings.Lines(stdout) {
		of := listedRun{}
		if err := json.Unmarshal([]byte(line), &of.Run); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		got = append(got, of.ID+" "+string(of.Status)+" "+of.statusLine())
	}
	want := []string{
		"20251124-running running ", "20251124-failed failed noU+001B[2J money", "20251123-broken interrupted ",
		"20251123-cancelled cancelled ", "20251122-paused paused approve@1: And now?",
		"20251122-done done yes: second line",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	all, err := readRuns(t.Context(), store, "", journal.Query{})
	for i := 0; i < len(all) && err == nil; i++ {
		err = all[i].readDetails(t.Context(), store, false)
	}
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := printRuns(&table, all, noon.Add(27*time.Hour), 80); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"RUN                 STATUS       AGENT  CHANGED   DETAILS",
		"20251124-running    running      desk   21 h ago  desk > polish",
		"20251123-broken     interrupted  desk   23 h ago  desk > draft",
		"20251122-done       done         desk   26 h ago  yes: second line",
	} {
		if !strings.Contains(table.String(), line+"\n") {
			t.Errorf("the table lacks %q:\n%s", line, &table)
		}
	}

	long := []listedRun{{
		Run: client.Run{
			ID: "20261123-164330-da3198e1", Status: client.Interrupted, Agent: "an-agent-with-a-long-name", Changed: noon,
		},
		where: "\u6f22\u5b57 " + strings.Repeat("and so on ", 20),
	}}
	for columns, want := range map[int]int{80: 80, 200: 200, 64: 64, 40: 40, 20: 20} {
		table.Reset()
		if err := printRuns(&table, long, noon.Add(40*time.Minute), columns); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(table.String()) {
			if width := cells.Width(strings.TrimSuffix(line, "\n")); width > want {
				t.Errorf("a line has %d cells of %d: %s", width, columns, line)
			}
		}
		if columns == 64 && strings.Contains(table.String(), "AGENT") || columns == 64 != strings.Contains(table.String(), "CHANGED") && columns < 80 {
			t.Errorf("%d columns:\n%s", columns, &table)
		}
	}

	if _, stdout, _ := shopCommand("runs", "--status", "failed"); strings.Count(stdout, "\n") != 2 || !strings.Contains(stdout, "20251124-failed") {
		t.Errorf("stdout = %q", stdout)
	}
}

// A journal that cannot be read is listed, after the others, and hides none of them.
func TestRunsWithADamagedJournal(t *testing.T) {
	shop(t)
	path := filepath.Join(journal.DefaultDir, "20251122-done.journal")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[bytes.Index(content, []byte("429: slow down"))] ^= 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}

	code, stdout, _ := shopCommand("runs")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if code != cli.Done || len(lines) != 7 || !strings.HasPrefix(lines[6], "20251122-done       damaged") {
		t.Errorf("exit code %d, stdout:\n%s", code, stdout)
	}
	if _, stdout, _ := shopCommand("runs", "--status", "damaged", "--json"); !strings.Contains(stdout, "is damaged at byte") {
		t.Errorf("stdout = %s", stdout)
	}
	code, stdout, stderr := shopCommand("runs", "show", "20251122-done")
	if code != cli.Problem || !strings.Contains(stderr, "is damaged at byte") || !strings.Contains(stdout, "└─ model #1") {
		t.Errorf("exit code %d, %s, stdout:\n%s", code, stderr, stdout)
	}
	if code, stdout, _ := shopCommand("runs", "show", "20251122-done", "--records"); code != cli.Problem || strings.Count(stdout, "\n") != 3 {
		t.Errorf("exit code %d, stdout:\n%s", code, stdout)
	}
	code, stdout, _ = shopCommand("runs", "show", "20251122-done", "--json")
	if code != cli.Problem || !strings.Contains(stdout, `"status":"damaged"`) || !strings.Contains(stdout, `"agent":"desk"`) {
		t.Errorf("exit code %d, stdout:\n%s", code, stdout)
	}
}

// A tail that was torn off is no damage.
func TestRunsWithATornTail(t *testing.T) {
	shop(t)
	path := filepath.Join(journal.DefaultDir, "20251122-done.journal")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content[:len(content)-3], 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := shopCommand("runs", "show", "20251122-done")
	if code != cli.Done || !strings.HasPrefix(stdout, "run 20251122-done: interrupted\n") || !strings.Contains(stderr, "were not written whole") {
		t.Errorf("exit code %d, %s, stdout:\n%s", code, stderr, stdout)
	}
}

// here is the absolute path of a file of the working directory.
func here(t *testing.T, names ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(names...))
	if err != nil {
		t.Fatal(err)
	}

	return path
}

func TestPickRun(t *testing.T) {
	shop(t)
	for word, want := range map[string]string{
		"20251122-done": "run 20251122-done: done", "20251122-d": "run 20251122-done: done", "last": "run 20251124-running: running",
		"20251122": `"20251122" is the beginning of 2 runs: 20251122-done, 20251122-paused`,
		"2025112":  `"2025112" is the beginning of 6 runs: `, "20251122-dome": `(did you mean "20251122-done"?)`,
		"xyz": `there is no run "xyz" in ` + here(t, ".agentc", "runs"), "lats": `(did you mean "last"?)`, "x\x1b[2J": `there is no run "xU+001B[2J"`,
	} {
		code, stdout, stderr := shopCommand("runs", "show", word)
		if text := stdout + stderr; !strings.Contains(text, want) || (code == cli.Done) != (stderr == "") {
			t.Errorf("%s: exit code %d, %s", word, code, text)
		}
	}
}

func TestShowRun(t *testing.T) {
	runs := []string{"20251122-done", "20251122-paused", "20251123-cancelled", "20251123-broken", "20251124-failed", "20251124-running"}
	var files []func(string)
	for _, run := range runs {
		files = append(files, goldenFile(t, run))
	}
	shop(t)
	for i, run := range runs {
		code, stdout, stderr := shopCommand("runs", "show", run)
		if code != cli.Done || stderr != "" {
			t.Errorf("%s: exit code %d, %s", run, code, stderr)
		}
		files[i](stdout)
	}
}

// A run has the same shape alone and in the list.
func TestShowRunAsJSON(t *testing.T) {
	shop(t)
	_, list, _ := shopCommand("runs", "--json")
	for line := range strings.Lines(list) {
		var run client.Run
		if err := json.Unmarshal([]byte(line), &run); err != nil {
			t.Fatal(err)
		}
		if code, alone, stderr := shopCommand("runs", "show", run.ID, "--json"); code != cli.Done || alone != line {
			t.Errorf("exit code %d, %s\nalone %sin the list %s", code, stderr, alone, line)
		}
	}
}

func TestShowRecordsAsJSON(t *testing.T) {
	shop(t)
	_, stdout, _ := shopCommand("runs", "show", "20251122-done", "--records")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if want := len(deskRun("")); len(lines) != want {
		t.Errorf("%d lines of %d records", len(lines), want)
	}
	const first = `{"type":"begin","time":"2025-11-22T12:00:00Z","name":"20251122-done","fields":{"program":"desk","agent":"desk","input":"a task",`
	if !strings.HasPrefix(lines[0], first) {
		t.Errorf("the first line is %s", lines[0])
	}
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
}

// Whatever a journal holds, what is printed holds no control characters; a colour is our own.
func TestHostileRuns(t *testing.T) {
	const evil = "a\x1b[2J\u202eb\x00\r\n\x9bc"
	t.Chdir(t.TempDir())
	store := journal.Files(filepath.FromSlash(journal.DefaultDir))
	records := deskRun("evil")
	for i := range records {
		for j, f := range records[i].Fields {
			if f.Name != "guards" && f.Name != "calls" && f.Name != "args" {
				records[i].Fields[j].Value += evil
			}
		}
		if i > 0 && records[i].Type == journal.Event && i%5 == 0 {
			records[i].Address = []string{"..", "x.y", "1.", "-1", "1.1.1.1.1", evil}[i/5%6]
		}
	}
	leaveRun(t, store, noon, records...)
	for _, args := range []string{"runs", "runs show evil", "runs show evil --full", "runs show evil --color always"} {
		_, stdout, stderr := shopCommand(strings.Fields(args)...)
		text := strings.NewReplacer(styleBold, "", styleDim, "", styleRed, "", styleCyan, "", styleEnd, "").Replace(stdout + stderr)
		for _, r := range text {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Fatalf("%s prints %U:\n%s", args, r, text)
			}
		}
		if !strings.Contains(text, "U+001B") {
			t.Errorf("%s: the case says nothing:\n%s", args, text)
		}
	}
}

func TestPruneRuns(t *testing.T) {
	for args, want := range map[string]string{
		"--older 1h":                             "20251122-done",
		"":                                       "20251122-done",
		"--older 9999d":                          "",
		"--older 1h --all":                       "20251124-failed 20251123-broken 20251123-cancelled 20251122-paused 20251122-done",
		"--older 0d --status failed":             "20251124-failed",
		"--keep 4 --all":                         "20251122-paused 20251122-done",
		"--keep 9 --all":                         "",
		"--older 1h --dry-run --all":             "20251124-failed 20251123-broken 20251123-cancelled 20251122-paused 20251122-done",
		"--older 1d --keep 1 --status cancelled": "20251123-cancelled",
	} {
		t.Run(args, func(t *testing.T) {
			store := shop(t)
			code, stdout, stderr := shopCommand(append([]string{"runs", "prune"}, strings.Fields(args)...)...)
			removed := strings.Fields(stdout)
			if code != cli.Done || strings.Join(removed, " ") != want {
				t.Errorf("exit code %d, removed %q, %s", code, removed, stderr)
			}
			left, err := store.List(t.Context(), journal.Query{})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(args, "--dry-run") {
				removed = nil
			}
			if len(left) != 6-len(removed) {
				t.Errorf("left are %q", left)
			}
		})
	}
}

// TestPruneRemovesWhatWasNeverBegun leaves a journal whose process died before its first record, and one that a process
// is about to begin.
func TestPruneRemovesWhatWasNeverBegun(t *testing.T) {
	store := shop(t)
	for _, run := range []string{"dead", "starting"} {
		file, err := store.Create(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		if run == "dead" {
			err = file.Close()
		} else {
			defer file.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if code, stdout, stderr := shopCommand("runs", "prune", "--older", "9999d"); code != cli.Done || stdout != "dead\n" {
		t.Errorf("exit code %d, removed %q, %s", code, stdout, stderr)
	}
	if left, err := store.List(t.Context(), journal.Query{}); err != nil || len(left) != 7 || slices.Contains(left, "dead") {
		t.Errorf("left are %q, %v", left, err)
	}
}

func TestRunsUsage(t *testing.T) {
	shop(t)
	for args, want := range map[string]string{
		"runs shwo":                 "(did you mean \"show\"?)",
		"runs show":                 "which run?",
		"runs prune last":           `"last" is one argument too many`,
		"runs --full":               "--full does not belong to runs",
		"runs show last --older 1d": "--older does not belong to runs show",
		"runs prune --older soon":   " is not a duration such as 30s, 1h30m",
		"runs prune --older -1h":    " is not a duration such as 30s, 1h30m",
		"runs prune --keep -1":      "--keep is a number of runs",
		"runs --status dnoe":        `(did you mean "done"?)`,
		"runs --store none":         "there are no runs without a store",
	} {
		if code, _, stderr := shopCommand(strings.Fields(args)...); code != cli.Usage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
	t.Setenv("AGENTC_STORE", "elsewhere")
	if code, stdout, stderr := shopCommand("runs"); code != cli.Done || stdout != "" || stderr != "desk: no runs in "+here(t, "elsewhere")+"\n" {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}
