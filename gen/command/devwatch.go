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

// watcher finds out which files of folders have changed, by looking at their sizes and times.
// Events of the system would need another library for each user of agentc, and miss files on
// network and shared folders.
type watcher struct {
	// folders are watched whole; of modules only the Go counts.
	folders, modules []string
	seen             map[string]stamp
}

type stamp struct {
	size int64
	time time.Time
}

// Between two looks at the folders is at least shortestLook, and so much time that looking takes a
// small part of it.
const (
	shortestLook = 25 * time.Millisecond
	lookShare    = 20
)

// scan looks at all files.
func (w *watcher) scan() map[string]stamp {
	found := map[string]stamp{}
	look := func(root string, counts func(path string) bool) {
		// A file that goes while it is looked at, or a folder that cannot be read, has changed when
		// it can be read again.
		_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			name := filepath.Base(path)
			switch {
			case err != nil:
				return nil
			case entry.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor"):
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

// isGo reports whether a file is one of those that go build reads.
func isGo(path string) bool {
	name := filepath.Base(path)

	return filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") || name == "go.mod" || name == "go.sum"
}

// changed waits for changes and returns the files, sorted: those since the last call. A file that
// is still being written counts when it stays as it is for one look.
func (w *watcher) changed(ctx context.Context) []string {
	var files []string
	for {
		begun := time.Now()
		found := w.scan()
		changed := differing(w.seen, found)
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

// differing are the keys whose values differ, or that only one of two maps has.
func differing(a, b map[string]stamp) []string {
	all := maps.Clone(b)
	maps.Copy(all, a)
	maps.DeleteFunc(all, func(key string, _ stamp) bool {
		before, inA := a[key]
		after, inB := b[key]
		return inA && inB && before == after
	})

	return slices.Collect(maps.Keys(all))
}
