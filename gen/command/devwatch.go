package command

import (
	"context"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// watcher detects changed files by their sizes and times. Events of the operating system would
// require another library, and are not delivered for network and shared folders.
type watcher struct {
	// folders are watched as a whole, and in modules only Go files.
	folders, modules []string
	seen             map[string]stamp
}

type stamp struct {
	size int64
	time time.Time
}

// A scan begins at least shortestLook after the previous one, and scans take at most the fraction
// 1/lookShare of the time.
const (
	shortestLook = 25 * time.Millisecond
	lookShare    = 20
)

// scanFiles returns the sizes and times of all watched files.
func (w *watcher) scanFiles() map[string]stamp {
	found := map[string]stamp{}
	look := func(root string, counts func(path string) bool) {
		// A file that was removed meanwhile, or a folder that cannot be read, has changed when it
		// can be read again.
		_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			name := filepath.Base(path)
			switch {
			case err != nil:
				return nil
			case entry.IsDir() && path != root && isUnwatched(name):
				return fs.SkipDir
			case entry.IsDir() || !counts(name) || strings.HasSuffix(name, "_gen.go") || strings.HasSuffix(name, "_gen_test.go"):
				return nil
			}
			if info, err := entry.Info(); err == nil {
				found[path] = stamp{info.Size(), info.ModTime()}
			}
			return nil
		})
	}
	for _, dir := range w.modules {
		look(dir, isGo)
	}
	for _, dir := range w.folders {
		look(dir, func(string) bool { return true })
	}

	return found
}

// isUnwatched reports whether folders with a name are not watched.
func isUnwatched(name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor"
}

// isGo reports whether go build reads a file.
func isGo(path string) bool {
	name := filepath.Base(path)

	return filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") || name == "go.mod" || name == "go.sum"
}

// waitForChanges waits until files change and returns them, sorted. It waits until a scan finds no
// further change, so that no file is read while it is written.
func (w *watcher) waitForChanges(ctx context.Context) []string {
	var files []string
	for {
		begun := time.Now()
		found := w.scanFiles()
		changed := changedKeys(w.seen, found)
		w.seen = found
		if len(changed) == 0 && len(files) > 0 {
			return ir.Sorted(files)
		}
		files = append(files, changed...)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(max(shortestLook, lookShare*time.Since(begun))):
		}
	}
}

// changedKeys returns the keys whose values differ, or that only one map has.
func changedKeys(a, b map[string]stamp) []string {
	all := maps.Clone(b)
	maps.Copy(all, a)
	maps.DeleteFunc(all, func(key string, _ stamp) bool {
		valueA, inA := a[key]
		valueB, inB := b[key]
		return inA && inB && valueA == valueB
	})

	return slices.Collect(maps.Keys(all))
}
