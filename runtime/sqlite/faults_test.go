package sqlite_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/sqlite"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// written begins a run and records some events.
func written(t *testing.T, store journal.Store, run string, events int) *journal.Writer {
	t.Helper()
	w, err := journal.Create(t.Context(), store, run, journal.Record{Time: time.Now(), Name: run})
	if err != nil {
		t.Fatal(err)
	}
	for range events {
		w.Append(journal.Record{Type: journal.Event, Time: time.Now(), Name: "model"})
		if err := w.Sync(); err != nil {
			t.Fatal(err)
		}
	}

	return w
}

// storeError wants an error of the store with a text.
func storeError(t *testing.T, what string, err error, text string) {
	t.Helper()
	if stored := (*journal.StoreError)(nil); !errors.As(err, &stored) || !strings.Contains(err.Error(), text) {
		t.Errorf("%s: %v", what, err)
	}
}

func TestAddresses(t *testing.T) {
	for _, address := range []string{"sqlite:", "sqlite:a.db?x=y", "sqlite:a.db?lease=1", "sqlite:?lease=1s"} {
		if _, err := sqlite.Open(address); err == nil {
			t.Errorf("%s is an address", address)
		}
	}
}

// Who only looks for runs makes no file.
func TestNothingIsMadeByReading(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "runs.db")
	store := open(t, path)
	if runs, err := store.List(t.Context(), journal.Query{}); len(runs) > 0 || err != nil {
		t.Errorf("the runs are %q, %v", runs, err)
	}
	if _, err := store.Open(t.Context(), "r"); !errors.Is(err, journal.ErrUnknownRun) {
		t.Errorf("Open: %v", err)
	}
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		t.Error("the folder is there")
	}
	if err := store.Writable(t.Context()); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may look into %v, %v", info, err)
	}
	if ignored, err := os.ReadFile(filepath.Join(filepath.Dir(path), ".gitignore")); string(ignored) != "*\n" || err != nil {
		t.Errorf("git ignores %q, %v", ignored, err)
	}
}

// What is written to a file that has lost its name would be lost.
func TestAFileThatIsTakenAway(t *testing.T) {
	for what, take := range map[string]func(path string) error{
		"deleted": os.Remove,
		"replaced": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, nil, 0o600))
		},
	} {
		path := filepath.Join(t.TempDir(), "runs.db")
		w := written(t, open(t, path), "r", 1)
		if err := take(path); err != nil {
			t.Skip("this system takes no file away that is open")
		}
		w.Append(journal.Record{Type: journal.Event, Time: time.Now(), Name: "model"})
		storeError(t, what, w.Sync(), path)
		_ = w.Close() // as it has failed before
	}
}

// A disk that is full ends the run; what was acknowledged is there when there is room again.
func TestADiskThatIsFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.db")
	restore := sqlite.SetPragma("max_page_count(40)")
	w := written(t, open(t, path), "r", 3)
	w.Append(journal.Record{Type: journal.Event, Time: time.Now(), Name: strings.Repeat("a long text ", 20_000)})
	storeError(t, "a block for which there is no room", w.Sync(), "full")
	_ = w.Close() // as it has failed before
	restore()

	j, w, err := journal.Open(t.Context(), open(t, path), "r")
	if err != nil || len(j.Records) != 4 || j.Cut != nil {
		t.Fatalf("the journal is %+v, %v", j, err)
	}
	w.Append(journal.Record{Type: journal.Event, Time: time.Now(), Name: strings.Repeat("a long text ", 20_000)})
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// A file that cannot be written to can be read.
func TestAFileThatIsReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.db")
	if err := written(t, open(t, path), "r", 1).Close(); err != nil {
		t.Fatal(err)
	}
	defer sqlite.SetPragma("query_only(1)")()
	store := open(t, path)
	if j, err := journal.Read(t.Context(), store, "r"); err != nil || len(j.Records) != 2 {
		t.Errorf("the journal is %+v, %v", j, err)
	}
	_, create := store.Create(t.Context(), "s")
	_, own := store.Open(t.Context(), "r")
	for what, err := range map[string]error{
		"Create": create, "Open": own, "Post": store.Post(t.Context(), "r", nil), "Remove": store.Remove(t.Context(), "r"),
		"Writable": store.Writable(t.Context()),
	} {
		storeError(t, what, err, "readonly")
	}
}

// What is no database is left as it is.
func TestAFileThatIsSomethingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	text := strings.Repeat("These are notes, and no database. ", 100)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	store := open(t, path)
	_, err := store.Create(t.Context(), "r")
	storeError(t, "Create", err, "not a database")
	_, err = store.List(t.Context(), journal.Query{})
	storeError(t, "List", err, "not a database")
	if got, err := os.ReadFile(path); string(got) != text || err != nil {
		t.Errorf("it was changed, %v", err)
	}
}

// A store of which another program has taken the tables away says so.
func TestTablesThatAreGone(t *testing.T) {
	address := kind.Empty(t)
	store, err := sqlite.Open(address)
	if err != nil {
		t.Fatal(err)
	}
	defer store.(io.Closer).Close()
	w := written(t, store, "r", 1)
	if _, err := kind.Raw(t, address).Exec("DROP TABLE agentc_blocks"); err != nil {
		t.Fatal(err)
	}
	_, err = journal.Read(t.Context(), store, "r")
	storeError(t, "Read", err, "agentc_blocks")
	w.Append(journal.Record{Type: journal.Event, Time: time.Now(), Name: "model"})
	storeError(t, "Sync", w.Close(), "agentc_blocks")
}
