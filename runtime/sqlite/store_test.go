package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/runtime/sqlite"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
	"github.com/agentc-dev/agentc/runtime/stores/journal/journaltest"
)

// open returns a store of the file.
func open(t *testing.T, path string) journal.Store {
	t.Helper()
	store, err := sqlite.Open("sqlite:" + path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.(interface{ Close() error }).Close(); err != nil {
			t.Error(err)
		}
	})

	return store
}

func TestStore(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journal.Store {
		return open(t, filepath.Join(t.TempDir(), "a folder of #100%", "runs.db"))
	})
}
