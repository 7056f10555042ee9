package journal_test

import (
	"context"
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Whoever lists runs owns those that have no end for a moment. A run that is resumed right then is resumed.
func TestOneWhoLooksTurnsNobodyAway(t *testing.T) {
	store := journal.Files(t.TempDir())
	w, err := journal.Create(t.Context(), store, "r", journal.Record{Name: "r"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	looked := make(chan error)
	go func() {
		var err error
		for ctx.Err() == nil && err == nil {
			err = look(store)
		}
		looked <- err
	}()

	for range 200 {
		file, err := store.Open(t.Context(), "r")
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	end()
	if err := <-looked; err != nil {
		t.Error(err)
	}
}

// look sees whether somebody works on the run.
func look(store journal.Store) error {
	file, err := store.Open(context.Background(), "r")
	if errors.Is(err, journal.ErrRunLocked) {
		return nil
	}
	if err != nil {
		return err
	}

	return file.Close()
}
