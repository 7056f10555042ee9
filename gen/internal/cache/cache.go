// Package cache keeps reproducible files in folders of the user's cache folder.
//
// Input: contents. Output: files, each complete or absent, even with concurrent writers. The files
// that were used last are kept.
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

// Dir returns a folder of agentc in the user's cache folder, and makes it if needed.
func Dir(name string) (string, error) {
	root, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "agentc", name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("the user's cache folder cannot be used: %w; set %s to a folder that can be written", err, folderVariable(runtime.GOOS))
	}

	return dir, nil
}

// folderVariable returns the environment variable that determines a system's cache folder.
func folderVariable(system string) string {
	switch system {
	case "windows":
		return "LocalAppData"
	case "darwin", "ios":
		return "HOME"
	}

	return "XDG_CACHE_HOME"
}

// Publish renames a finished temporary file. If another process was faster, its file is kept: it is
// as good, since names in the cache identify contents.
func Publish(temporary, final string) error {
	err := os.Rename(temporary, final)
	if err == nil || !Touch(final) {
		return err
	}

	return os.Remove(temporary)
}

// Touch marks an entry of the cache as used and reports whether it exists.
func Touch(path string) bool {
	now := time.Now()
	return os.Chtimes(path, now, now) == nil
}

// LastUsed returns the entries of a folder that match a pattern, the last used first.
func LastUsed(dir, pattern string) []string {
	found, _ := fs.Glob(os.DirFS(dir), pattern)
	used := map[string]time.Time{}
	for i, name := range found {
		found[i] = filepath.Join(dir, name)
		used[found[i]] = lastUse(found[i])
	}
	slices.SortFunc(found, func(a, b string) int { return used[b].Compare(used[a]) })

	return found
}

// lastUse returns when a file of the cache was last used, zero if it does not exist.
func lastUse(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}

	return info.ModTime()
}

// UnfinishedPrefix begins the names of files that a process is writing. After unfinishedAge the
// process must have ended.
const (
	UnfinishedPrefix = "new-"
	unfinishedAge    = 24 * time.Hour
)

// Prune removes all but the last used entries of a folder. It neither removes nor counts what other
// processes are writing. It ignores errors: the entries are removed another time.
func Prune(dir string, keep int) {
	entries := slices.DeleteFunc(LastUsed(dir, "*"), func(name string) bool {
		return strings.HasPrefix(filepath.Base(name), UnfinishedPrefix) && time.Since(lastUse(name)) < unfinishedAge
	})
	for _, name := range entries[min(keep, len(entries)):] {
		_ = os.RemoveAll(name)
	}
}

// Put writes a file of the cache in one step, and keeps only the last used files of its folder.
func Put(file string, content []byte, keep int) error {
	dir := filepath.Dir(file)
	temporary, err := WriteTemporary(dir, UnfinishedPrefix+"*", content)
	if err == nil {
		err = Publish(temporary, file)
	}
	Prune(dir, keep)

	return err
}

// WriteTemporary writes content into a new file of dir.
func WriteTemporary(dir, pattern string, content []byte) (string, error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)

	return f.Name(), errors.Join(err, f.Close())
}

// HashName returns a name that identifies content.
func HashName(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
