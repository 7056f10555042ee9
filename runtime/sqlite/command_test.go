package sqlite_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/sqlite"
)

// greeter is a program that can open stores of this package.
type greeter struct{}

func (greeter) Program() *compiled.Program {
	run := func(_ runtime.Effects, input string) (runtime.Finish, error) {
		return runtime.Finish{Key: "done", Value: "hello " + input}, nil
	}

	return &compiled.Program{
		Name: "greeter", Entry: "main", Shape: "s", Text: "t", Parts: []compiled.Part{sqlite.Part{}},
		Agents: []compiled.Agent{{Name: "main", Pattern: "oneshot", Run: run}},
	}
}

// A command that has ended leaves nothing beside the file.
func TestACommandLeavesOneFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "runs.db")
	for _, args := range [][]string{{"run", "Ada"}, {"runs"}, {"runs", "show", "last"}} {
		var stdout, stderr bytes.Buffer
		args = append(args, "--store", "sqlite:"+path)
		if code := (app.Options{}).Run(greeter{}, args, strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, &stderr)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			t.Errorf("%q leaves %v, %v", args, entries, err)
		}
	}
}

// A command that only looks says that it cannot, and not that it could not record.
func TestACommandWithAFileThatIsSomethingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte(strings.Repeat("These are notes. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := (app.Options{}).Run(greeter{}, []string{"runs", "--store", "sqlite:" + path}, strings.NewReader(""), &stdout, &stderr)
	want := "the store cannot be opened: sqlite:" + path + ": file is not a database"
	if code != 3 || !strings.Contains(stderr.String(), want) || strings.Contains(stderr.String(), "recorded") {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
}
