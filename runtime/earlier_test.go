package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/examples/door/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/board"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/stores/recording"
)

// earlierFile has files that an earlier version wrote, by their paths: the journal of a run that waits for an answer, the recording of
// its model, the audit log of a board, and the snapshot of a machine. It stays as it is; files of a later version join it.
const earlierFile = "testdata/earlier.json"

var writeEarlier = flag.Bool("write-earlier", false, "write "+earlierFile+" anew, with what this version writes")

const porterScript = `{"porter": [{"say": "Good day"}]}`

// failingFunc returns an error of a type that errors.As finds in the journal by its code.
func failingFunc(context.Context, json.RawMessage) (json.RawMessage, error) {
	return nil, fmt.Errorf("the door: %w", &drive.StaleError{Machine: "door", Want: 3, Have: 5})
}

// uncalledFunc must not be called.
func uncalledFunc(context.Context, json.RawMessage) (json.RawMessage, error) {
	panic("the function is called again")
}

// porterProgram asks a model, calls a function that fails, and asks a person.
func porterProgram(open func(context.Context, json.RawMessage) (json.RawMessage, error)) *compiled.Program {
	run := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		reply, err := fx.Model(model.Request{Agent: "porter", Input: input, System: "You are a porter."})
		if err != nil {
			return runtime.Finish{}, err
		}
		_, err = fx.Call(runtime.FuncCall{Name: "open", Args: json.RawMessage("{}"), Run: open})
		var stale *drive.StaleError
		if !errors.As(err, &stale) {
			return runtime.Finish{}, fmt.Errorf("the function ended with %w", err)
		}
		answer, err := fx.Ask(runtime.Question{ID: "who", Prompt: "Who is there?"})

		return runtime.Finish{Key: "done", Value: fmt.Sprintf("%s, %s: %d", reply.Text, answer.Value, stale.Have)}, err
	}
	program := agents.New().Program()

	return &compiled.Program{
		Name: "porter", Entry: "porter", Shape: "s", Text: "t",
		Agents: []compiled.Agent{{Name: "porter", Run: run}}, Machines: program.Machines,
	}
}

// writeFiles writes into a folder what earlierFile has.
func writeFiles(t *testing.T, dir string) {
	t.Helper()
	recorder, err := recording.Open(filepath.Join(dir, "recording.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	program := porterProgram(failingFunc)
	eng := engine.New(engine.Options{
		Store: journal.Files(filepath.Join(dir, "runs")), Recorder: recorder, RunID: func() string { return "r1" },
		Script: porterScript,
	})
	var paused *runtime.PausedError
	if _, err := eng.Run(t.Context(), program, "", "a guest"); !errors.As(err, &paused) {
		t.Fatalf("the run ends with %v", err)
	}
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := board.Open(t.Context(), board.Options{Dir: filepath.Join(dir, "board"), Program: program})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Transition(t.Context(), board.Request{ID: "door/front", Attempt: drive.Attempt{Key: "lock"}}); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	machine := agents.NewDoorMachine()
	if err := machine.FireKey("lock"); err != nil {
		t.Fatal(err)
	}
	snapshot, err := machine.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "snapshot.json"), snapshot, 0o600); err != nil {
		t.Fatal(err)
	}
}

// packFolder returns the files of a folder as JSON, by their paths.
func packFolder(t *testing.T, dir string) []byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(path)

		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	content, err := json.MarshalIndent(files, "", "\t")
	if err != nil {
		t.Fatal(err)
	}

	return append(content, '\n')
}

// unpackFolder writes files that packFolder has packed into a folder.
func unpackFolder(t *testing.T, content []byte, dir string) {
	t.Helper()
	var files map[string][]byte
	if err := json.Unmarshal(content, &files); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFilesOfEarlierVersions: the journals, recordings, audit logs and snapshots of earlier versions are read, and those of this one.
func TestFilesOfEarlierVersions(t *testing.T) {
	written := t.TempDir()
	writeFiles(t, written)
	if *writeEarlier {
		if err := os.WriteFile(earlierFile, packFolder(t, written), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(earlierFile)
	if err != nil {
		t.Fatal(err)
	}
	earlier := t.TempDir()
	unpackFolder(t, content, earlier)
	for name, dir := range map[string]string{"earlier": earlier, "this version": written} {
		t.Run(name, func(t *testing.T) { readFiles(t, dir) })
	}
}

// readFiles resumes the run, replays its recording, and goes on with the machines.
func readFiles(t *testing.T, dir string) {
	eng := engine.New(engine.Options{Store: journal.Files(filepath.Join(dir, "runs")), Script: porterScript})
	program := porterProgram(uncalledFunc)
	if err := eng.Answer(t.Context(), program, "r1", "who", "Ann", ""); err != nil {
		t.Fatal(err)
	}
	const want = "Good day, Ann: 5"
	if fin, err := eng.Resume(t.Context(), program, "r1"); err != nil || fin.Value != want {
		t.Errorf("the run ends with %+v, %v", fin, err)
	}

	content, err := os.ReadFile(filepath.Join(dir, "recording.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	replay, err := recording.Read(bytes.NewReader(content), "recording.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	fin, err := engine.New(engine.Options{Replay: replay, Asker: asker{}}).Run(t.Context(), porterProgram(failingFunc), "", "a guest")
	if err != nil || fin.Value != want {
		t.Errorf("the replayed run ends with %+v, %v", fin, err)
	}

	b, err := board.Open(t.Context(), board.Options{Dir: filepath.Join(dir, "board"), Program: program})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	if state, err := b.State(t.Context(), "door/front"); err != nil || state.State != "locked" {
		t.Errorf("the machine of the board is %+v, %v", state, err)
	}
	snapshot, err := os.ReadFile(filepath.Join(dir, "snapshot.json"))
	if err != nil {
		t.Fatal(err)
	}
	machine := agents.NewDoorMachine()
	if err := machine.Restore(snapshot); err != nil || machine.Current() != "locked" {
		t.Errorf("the machine of the snapshot is %s, %v", machine.Current(), err)
	}
}

type asker struct{}

func (asker) Ask(context.Context, runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: "Ann"}, nil
}
