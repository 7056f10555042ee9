package journal_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// asProcess, in the environment, makes the test binary a process that owns a run and does what its standard input says.
const asProcess = "AGENTC_JOURNAL_TEST_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asProcess); dir != "" {
		own(journal.Files(dir))
		return
	}
	os.Exit(m.Run())
}

// own answers each line: "create" and "open" own the run r1, any other word is a record that is synced.
func own(store journal.Store) {
	var w *journal.Writer
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var err error
		switch word := in.Text(); word {
		case "create":
			w, err = journal.Create(context.Background(), store, "r1", journal.Record{Time: noon})
		case "open":
			_, w, err = journal.Open(context.Background(), store, "r1")
		default:
			w.Append(event(word))
			err = w.Sync()
		}
		fmt.Println("answer:", err)
	}
}

// process is another process.
type process struct {
	cmd *exec.Cmd
	in  io.Writer
	out *bufio.Scanner
}

func start(t *testing.T, dir string) *process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asProcess+"="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}

	return &process{cmd, in, bufio.NewScanner(out)}
}

func (p *process) do(t *testing.T, word string) string {
	t.Helper()
	if _, err := fmt.Fprintln(p.in, word); err != nil {
		t.Fatal(err)
	}
	if !p.out.Scan() {
		t.Fatalf("%s: the process ended", word)
	}

	return strings.TrimPrefix(p.out.Text(), "answer: ")
}

func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait()
}

func TestTwoProcessesDoNotOwnARun(t *testing.T) {
	dir := t.TempDir()
	store, other := journal.Files(dir), start(t, dir)
	if got := other.do(t, "create"); got != "<nil>" {
		t.Fatal(got)
	}
	var want []string
	for _, word := range []string{"one", "two"} {
		if got := other.do(t, word); got != "<nil>" {
			t.Fatal(got)
		}
		want = append(want, word)
		if got := names(t, store); !reflect.DeepEqual(got, want) {
			t.Errorf("a reader finds %q", got)
		}
		if _, _, err := journal.Open(t.Context(), store, "r1"); !errors.Is(err, journal.ErrRunLocked) {
			t.Errorf("Open beside another process: %v", err)
		}
		if err := store.Remove(t.Context(), "r1"); !errors.Is(err, journal.ErrRunLocked) {
			t.Errorf("Remove beside another process: %v", err)
		}
	}

	other.kill(t)
	_, w, err := journal.Open(t.Context(), store, "r1")
	if err != nil {
		t.Fatalf("after the owner's death: %v", err)
	}
	third := start(t, dir)
	if got := third.do(t, "open"); !strings.Contains(got, journal.ErrRunLocked.Error()) {
		t.Errorf("a third process: %v", got)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := third.do(t, "open"); got != "<nil>" {
		t.Errorf("a third process, later: %v", got)
	}
	third.kill(t)
}
