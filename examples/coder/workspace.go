package main

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/examples/coder/agents"
)

// workspace holds the files that the agent works on. It implements the tools that the skills declare, and in guards.go the guards
// of the gate.
type workspace struct {
	mutex    sync.Mutex
	files    map[string]string
	proposed []string
	// problems are what the last run of the tests has found; nil before the first.
	problems []string
	tested   bool
	// ran are the tools that were executed, in order.
	ran []string
}

func newWorkspace() *workspace {
	return &workspace{files: map[string]string{"old.go": "package hello\n\nfunc old() {}\n"}}
}

// notes is what research knows.
var notes = map[string]string{
	"greeting": "A greeting is one line that begins with Hello and names whom it greets.",
	"testing":  "A test is a function TestXxx(t *testing.T) in a file whose name ends in _test.go.",
}

// begin notes that a tool runs, and keeps others out until it has ended.
func (w *workspace) begin(tool string) (end func()) {
	w.mutex.Lock()
	w.ran = append(w.ran, tool)

	return w.mutex.Unlock
}

// Research returns the notes on a topic.
func (w *workspace) Research(_ context.Context, in agents.ResearchInput) (string, error) {
	defer w.begin("research")()
	if note, known := notes[strings.ToLower(in.Topic)]; known {
		return note, nil
	}

	return "", fmt.Errorf("there are no notes on %q, but on %s", in.Topic, list(slices.Sorted(maps.Keys(notes))))
}

// ReadFile returns a file.
func (w *workspace) ReadFile(_ context.Context, in agents.ReadFileInput) (string, error) {
	defer w.begin("read_file")()

	return w.file(in.Path)
}

// WriteFile writes a file.
func (w *workspace) WriteFile(_ context.Context, in agents.WriteFileInput) (string, error) {
	defer w.begin("write_file")()
	w.files[in.Path], w.tested = in.Content, false

	return fmt.Sprintf("%d bytes written", len(in.Content)), nil
}

// RunTests parses every file and looks for one with tests.
func (w *workspace) RunTests(context.Context, agents.RunTestsInput) (agents.RunTestsOutput, error) {
	defer w.begin("run_tests")()
	w.problems, w.tested = nil, true
	hasTests := false
	for _, path := range slices.Sorted(maps.Keys(w.files)) {
		hasTests = hasTests || strings.HasSuffix(path, "_test.go")
		if _, err := parser.ParseFile(token.NewFileSet(), path, w.files[path], 0); err != nil {
			w.problems = append(w.problems, err.Error())
		}
	}
	if !hasTests {
		w.problems = append(w.problems, "there is no file whose name ends in _test.go")
	}
	if len(w.problems) > 0 {
		return agents.RunTestsOutput{Report: strings.Join(w.problems, "\n")}, nil
	}

	return agents.RunTestsOutput{Passed: true, Report: fmt.Sprintf("%d files are fine", len(w.files))}, nil
}

// ProposeDeletion notes which files may be deleted.
func (w *workspace) ProposeDeletion(_ context.Context, in agents.ProposeDeletionInput) (string, error) {
	defer w.begin("propose_deletion")()
	for _, path := range in.Paths {
		if _, err := w.file(path); err != nil {
			return "", err
		}
	}
	w.proposed = in.Paths

	return "noted", nil
}

// DeleteFiles deletes files.
func (w *workspace) DeleteFiles(_ context.Context, in agents.DeleteFilesInput) (string, error) {
	defer w.begin("delete_files")()
	for _, path := range in.Paths {
		delete(w.files, path)
	}
	w.proposed, w.tested = nil, false

	return "deleted " + list(in.Paths), nil
}

func (w *workspace) file(path string) (string, error) {
	if content, exists := w.files[path]; exists {
		return content, nil
	}

	return "", fmt.Errorf("there is no file %q, but %s", path, list(slices.Sorted(maps.Keys(w.files))))
}

func list(names []string) string { return strings.Join(names, ", ") }
