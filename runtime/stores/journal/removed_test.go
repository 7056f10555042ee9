package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/stores/files"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// A journal that is deleted, moved or replaced under its owner is an error at the next flush, not a run without a record.
func TestRemovedUnderItsOwner(t *testing.T) {
	for name, take := range map[string]func(dir string) error{
		"file":     func(dir string) error { return os.Remove(filepath.Join(dir, "r.journal")) },
		"folder":   os.RemoveAll,
		"moved":    func(dir string) error { return os.Rename(dir, dir+"-old") },
		"replaced": func(dir string) error { return replace(filepath.Join(dir, "r.journal")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "runs")
			w, err := journal.Create(t.Context(), journal.Files(dir), "r", journal.Record{Name: "r"})
			if err != nil {
				t.Fatal(err)
			}
			w.Append(journal.Record{Type: journal.Event, Name: "step"})
			if err := w.Sync(); err != nil {
				t.Fatal(err)
			}
			if err := take(dir); err != nil {
				t.Skip(err) // Windows takes away no file that is open
			}
			w.Append(journal.Record{Type: journal.Event, Name: "step"})
			var lost *journal.StoreError
			if err := w.Sync(); !errors.As(err, &lost) || !errors.Is(err, files.ErrReplaced) {
				t.Errorf("the flush returned %v", err)
			}
			if err := w.Close(); !errors.Is(err, files.ErrReplaced) {
				t.Errorf("the close returned %v", err)
			}
		})
	}
}

// replace puts a copy into the place of a file.
func replace(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		return err
	}

	return os.Rename(path+".new", path)
}
