package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// What other processes are making stays while a cache is pruned, however many make something at
// once; what one left long ago goes.
func TestPruneLeavesWhatIsBeingMade(t *testing.T) {
	dir := t.TempDir()
	left := filepath.Join(dir, UnfinishedPrefix+"left")
	if err := os.Mkdir(left, 0o755); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * unfinishedAge)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}

	const keep = 4
	var all sync.WaitGroup
	for i := range 16 {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := range 20 {
				if err := makeEntry(dir, fmt.Sprintf("%d-%d", i, n), keep); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	all.Wait()
	Prune(dir, keep)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != keep {
		t.Errorf("%d entries are left, want %d: %v, %v", len(entries), keep, entries, err)
	}
}

// makeEntry makes an entry as a build does: a folder is filled while others Prune, and gets its
// name at the end.
func makeEntry(dir, name string, keep int) error {
	work, err := os.MkdirTemp(dir, UnfinishedPrefix+"*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for i := range 5 {
		Prune(dir, keep)
		if err := os.WriteFile(filepath.Join(work, fmt.Sprint(i)), nil, 0o600); err != nil {
			return err
		}
	}
	if err := Publish(work, filepath.Join(dir, name)); err != nil {
		return err
	}
	Prune(dir, keep)

	return nil
}
