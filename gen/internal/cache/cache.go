// Package cache keeps files that can be made again in folders of the user's cache folder.
//
// Input: contents. Output: files, each there whole or not at all, whatever else writes. Those that
// were used last stay.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Dir returns a folder of ours in the user's cache folder, made if need be.
func Dir(name string) (string, error) {
	root, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "agentc", name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("the user's cache folder cannot be used: %w; set %s to a folder that can be written", err, variable(runtime.GOOS))
	}

	return dir, nil
}

// variable is the environment variable by which a system's cache folder is found.
func variable(system string) string {
	switch system {
	case "windows":
		return "LocalAppData"
	case "darwin", "ios":
		return "HOME"
	}

	return "XDG_CACHE_HOME"
}

// Publish gives a finished temporary file its final name. If another process was faster, what that
// one made is as good, since names in the cache say what is inside.
func Publish(temporary, final string) error {
	err := os.Rename(temporary, final)
	if err == nil || !Touch(final) {
		return err
	}

	return os.Remove(temporary)
}

// Touch marks an entry of the cache as used and reports whether it is there.
func Touch(path string) bool {
	now := time.Now()
	return os.Chtimes(path, now, now) == nil
}

// LastUsed returns the files and folders of a folder that match a pattern, those first that were
// used last.
func LastUsed(dir, pattern string) []string {
	found, _ := fs.Glob(os.DirFS(dir), pattern)
	used := map[string]time.Time{}
	for i, name := range found {
		found[i] = filepath.Join(dir, name)
		used[found[i]] = usedAt(found[i])
	}
	slices.SortFunc(found, func(a, b string) int { return used[b].Compare(used[a]) })

	return found
}

// usedAt is when a file of the cache was used last; the zero time for one that is gone.
func usedAt(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}

	return info.ModTime()
}

// InWork is how the names begin of what a process is making; workAge is how old that is at least
// when its process must be gone.
const (
	InWork  = "new-"
	workAge = 24 * time.Hour
)

// Prune removes all but the keep entries of a folder that were used last. What another process is
// making is not removed, and not counted. Entries that cannot be removed are removed another time,
// so errors are of no interest.
func Prune(dir string, keep int) {
	entries := slices.DeleteFunc(LastUsed(dir, "*"), func(name string) bool {
		return strings.HasPrefix(filepath.Base(name), InWork) && time.Since(usedAt(name)) < workAge
	})
	for _, name := range entries[min(keep, len(entries)):] {
		_ = os.RemoveAll(name)
	}
}

// Put writes a file of the cache in one step, and removes those of its folder that were used last,
// but for keep.
func Put(file string, content []byte, keep int) error {
	dir := filepath.Dir(file)
	temporary, err := Temporary(dir, InWork+"*", content)
	if err == nil {
		err = Publish(temporary, file)
	}
	Prune(dir, keep)

	return err
}

// Temporary writes content into a new file of dir.
func Temporary(dir, pattern string, content []byte) (string, error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)

	return f.Name(), errors.Join(err, f.Close())
}

// Name names content in the cache.
func Name(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
