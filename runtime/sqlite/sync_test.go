package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/runtime/sqlite"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// What SQLite reports for PRAGMA synchronous.
const (
	synchronousNormal = 1
	synchronousFull   = 2
)

func TestSyncSetting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.db")
	for settings, want := range map[string]int{
		"": synchronousFull, "?lease=5s": synchronousFull, "?sync=full": synchronousFull,
		"?sync=normal": synchronousNormal, "?lease=5s&sync=normal": synchronousNormal, "?sync=normal&lease=5s": synchronousNormal,
	} {
		db, err := sqlite.OpenDatabase("sqlite:" + path + settings)
		if err != nil {
			t.Fatal(err)
		}
		var synchronous int
		err = db.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&synchronous)
		if err := errors.Join(err, db.Close()); synchronous != want || err != nil {
			t.Errorf("%q: synchronous is %d, not %d: %v", settings, synchronous, want, err)
		}
	}
	for _, settings := range []string{"?sync=", "?sync=off", "?sync=NORMAL", "?sync=normal&sync=full", "?x=1", "?"} {
		if store, err := sqlite.Open("sqlite:" + path + settings); (err == nil) != (settings == "?") {
			t.Errorf("%q: %v, %v", settings, store, err)
		}
	}
}

// Without a sync at each commit a power cut takes the end of the write-ahead log, which is wherever the disk had got to. The store is
// intact then, and a run has the records before that place.
func TestPowerCutWithoutSync(t *testing.T) {
	const events = 20
	dir := t.TempDir()
	path := filepath.Join(dir, "runs.db")
	written(t, open(t, path+"?sync=normal"), "r", events) // and not closed, as when the power is cut
	main, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	const cuts = 16
	kept := 0
	for cut := range cuts + 1 {
		left := filepath.Join(dir, "left", string(rune('a'+cut)), "runs.db")
		err := errors.Join(
			os.MkdirAll(filepath.Dir(left), 0o700), os.WriteFile(left, main, 0o600),
			os.WriteFile(left+"-wal", log[:len(log)*cut/cuts], 0o600))
		if err != nil {
			t.Fatal(err)
		}
		records, err := readKept(t, left)
		if err != nil || records < kept {
			t.Errorf("with %d of %d parts of the log there are %d records, and with fewer parts %d: %v", cut, cuts, records, kept, err)
		}
		kept = records
	}
	if kept != events+1 {
		t.Errorf("with the whole log there are %d records", kept)
	}
}

// readKept returns how many records of run r a store has kept.
func readKept(t *testing.T, path string) (records int, err error) {
	t.Helper()
	j, err := journal.Read(t.Context(), open(t, path), "r")
	switch {
	case errors.Is(err, journal.ErrUnknownRun), errors.Is(err, journal.ErrNotBegun):
		return 0, nil
	case err != nil:
		return 0, err
	}

	return len(j.Records), j.Cut
}

// kill -9 loses nothing without a sync at each commit.
func TestServerIsKilledWithoutSync(t *testing.T) {
	times := 20
	if testing.Short() {
		times = 3
	}
	unsynced := kind
	unsynced.Empty = func(t *testing.T) string { return kind.Empty(t) + "?sync=normal" }
	unsynced.Kill(t, times)
}
