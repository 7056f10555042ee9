package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/examples/digest/agents"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/testing/resumetest"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

// stuckOn names the variable that makes the test binary the program: reads of these documents do not return.
const stuckOn = "DIGEST_STUCK_ON"

// TestMain runs the tests or, as a child of TestKilledInTheMap, the program.
func TestMain(m *testing.M) {
	documents, isProgram := os.LookupEnv(stuckOn)
	if isProgram {
		app.Main(agents.New(notedShelf{stuck: strings.Fields(documents)}))
	}
	os.Exit(m.Run())
}

// notedShelf notes each call in a file of the working directory before it makes it.
type notedShelf struct {
	shelf
	stuck []string
}

// notes is the file with a line for each call.
const notes = "calls.txt"

func note(call string) error {
	f, err := os.OpenFile(notes, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintln(f, call)

	return err
}

// ShelfRead reads a document, unless it is stuck.
func (l notedShelf) ShelfRead(ctx context.Context, in agents.ShelfReadArgs) (agents.ShelfReadResult, error) {
	if err := note("read " + in.Document); err != nil {
		return agents.ShelfReadResult{}, err
	}
	if slices.Contains(l.stuck, in.Document) {
		<-ctx.Done()
		return agents.ShelfReadResult{}, ctx.Err()
	}

	return l.shelf.ShelfRead(ctx, in)
}

// ShelfPublish publishes the digest.
func (l notedShelf) ShelfPublish(ctx context.Context, in agents.ShelfPublishArgs) (string, error) {
	if err := note("publish"); err != nil {
		return "", err
	}

	return l.shelf.ShelfPublish(ctx, in)
}

func readScript(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("scripts/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}

	return string(text)
}

// copyDocuments returns a folder with the documents.
func copyDocuments(t *testing.T) (folder string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "docs")
	if err := os.CopyFS(folder, os.DirFS("docs")); err != nil {
		t.Fatal(err)
	}

	return folder
}

// The scripts answer for the models and the shelf.
func TestScripts(t *testing.T) {
	for _, test := range []struct{ script, want string }{
		{"agreed", `{"text":"In May the bakery closes. From June line 4 runs at night.","agreed":true,` +
			`"topics":["shops","traffic"],"words":57}`},
		{"bound", `{"text":"Third draft.","agreed":false,"topics":["traffic"],"words":25}`},
	} {
		t.Run(test.script, func(t *testing.T) {
			fin, err := agents.New(nil).RunDigest(simulate.New(t, readScript(t, test.script)), "town")
			if err != nil || fin.Value != test.want {
				t.Errorf("the result is %s, %v", fin.Value, err)
			}
		})
	}
}

// result is the result for the folder docs.
const result = `{"text":"This is new in town.","agreed":true,"topics":["town"],"words":105}`

// With the documents of a folder, the digest is a file there. The empty document is left out.
func TestFolder(t *testing.T) {
	folder := copyDocuments(t)
	fin, err := agents.New(shelf{}).RunDigest(simulate.New(t, readScript(t, "models")), folder)
	if err != nil || fin.Value != result {
		t.Errorf("the result is %s, %v", fin.Value, err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "digest.md"))
	if err != nil || string(text) != "This is new in town.\n" {
		t.Errorf("the digest is %q, %v", text, err)
	}
}

// A run that is interrupted after any record of its journal ends as if it had not been.
func TestResumedAnywhere(t *testing.T) {
	script := readScript(t, "models")
	counts, err := resumetest.Case{
		Program: agents.New(shelf{}).Program(), Input: copyDocuments(t),
		Options: func() engine.Options { return engine.Options{Script: script} },
	}.Check(t.Context())
	if err != nil || counts.Asked > 0 {
		t.Errorf("%v, %v", counts, err)
	}
}

// program returns a command that runs the program in a folder, with reads that do not return.
func program(t *testing.T, folder string, stuck []string, args ...string) *exec.Cmd {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), binary, args...)
	c.Dir = folder
	c.Env = append(os.Environ(), stuckOn+"="+strings.Join(stuck, " "), "AGENTC_STORE=")

	return c
}

// countCalls counts the calls that a program has noted.
func countCalls(t *testing.T, folder string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, notes))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	calls := map[string]int{}
	for line := range strings.Lines(string(text)) {
		calls[strings.TrimSpace(line)]++
	}

	return calls
}

// countResults counts the results in the journal of the only run in a folder: those of calls of models and functions.
func countResults(t *testing.T, folder string) (models, calls int) {
	t.Helper()
	runs := filepath.Join(folder, ".agentc", "runs")
	paths, err := fs.Glob(os.DirFS(runs), "*.journal")
	if err != nil || len(paths) != 1 {
		return 0, 0
	}
	j, err := journal.Read(t.Context(), journal.Files(runs), strings.TrimSuffix(paths[0], ".journal"), journal.Result)
	if err != nil {
		return 0, 0 // its first record is not there yet
	}
	for _, r := range j.Records {
		switch {
		case r.Type != journal.Result:
		case r.Name == "model":
			models++
		case r.Name == "call":
			calls++
		}
	}

	return models, calls
}

// The process is killed while two documents are read and two others have their summaries. The next process reads
// only the two, asks for no summary again, and publishes once.
func TestKilledInTheMap(t *testing.T) {
	folder := filepath.Dir(copyDocuments(t))
	script, err := filepath.Abs("scripts/models.json")
	if err != nil {
		t.Fatal(err)
	}
	stuck := []string{"school.txt", "tram.txt"}
	first := program(t, folder, stuck, "run", "--script", script, "docs")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	isInTheMap := func() bool {
		noted := countCalls(t, folder)
		models, calls := countResults(t, folder)
		return noted["read school.txt"]+noted["read tram.txt"] == 2 && models == 2 && calls == 4 // list, and three reads
	}
	for end := time.Now().Add(time.Minute); !isInTheMap(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the calls are %v", countCalls(t, folder))
		}
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait() // it says that it was killed

	second := program(t, folder, nil, "resume", "--script", script, "last")
	var said strings.Builder
	second.Stderr = &said
	out, err := second.Output()
	if err != nil || strings.TrimSpace(string(out)) != result {
		t.Errorf("the resumed run ends with %s, %v\n%s", out, err, said.String())
	}
	got, want := countCalls(t, folder), map[string]int{
		"read bakery.txt": 1, "read bridge.txt": 1, "read council.txt": 1, "read school.txt": 2, "read tram.txt": 2,
		"publish": 1,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the calls are %v, not %v", got, want)
	}
	if models, _ := countResults(t, folder); models != 8 {
		t.Errorf("the models have replied %d times: 4 summaries, 2 drafts and 2 judgements are 8", models)
	}
}
