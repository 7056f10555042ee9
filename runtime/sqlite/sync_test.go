package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

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
		left := leaveLog(t, filepath.Join(dir, "left", fmt.Sprint(cut)), main, log[:len(log)*cut/cuts])
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

// With a sync at each commit a power cut takes at most what was written after the last record that a run has waited for.
func TestPowerCutWithSync(t *testing.T) {
	const events = 10
	dir := t.TempDir()
	path := filepath.Join(dir, "runs.db")
	w := written(t, open(t, path+"?sync=full"), "r", 0)
	var synced []int64 // the length of the log after each record
	for range events {
		w.Append(journal.Record{Type: journal.Event, Time: time.Now(), Name: "model"})
		if err := w.Sync(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		synced = append(synced, info.Size())
	}
	main, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	for i, from := range synced {
		to := from
		if i+1 < len(synced) {
			to = synced[i+1] - 1 // the byte that makes the next commit whole is missing
		}
		for _, end := range []int64{from, (from + to) / 2, to} {
			left := leaveLog(t, filepath.Join(dir, "left", fmt.Sprint(end)), main, log[:end])
			if records, err := readKept(t, left); err != nil || records != i+2 {
				t.Errorf("with %d bytes of the log, %d of which are synced, there are %d records, not %d: %v", end, from, records, i+2, err)
			}
		}
	}
}

// leaveLog writes a store with this file and write-ahead log into a folder, and returns its path.
func leaveLog(t *testing.T, folder string, main, log []byte) string {
	t.Helper()
	path := filepath.Join(folder, "runs.db")
	err := errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(path, main, 0o600), os.WriteFile(path+"-wal", log, 0o600))
	if err != nil {
		t.Fatal(err)
	}

	return path
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
