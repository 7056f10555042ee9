package command

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/app"
)

// cacheDir returns a folder of ours in the user's cache folder, made if need be.
func cacheDir(name string) (string, error) {
	root, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "agentc", name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("the user's cache folder cannot be used: %w", err)
	}

	return dir, nil
}

// publish gives a finished temporary file or folder its final name. If another process was faster, what that one made is
// as good, since names in the cache say what is inside.
func publish(temporary, final string) error {
	err := os.Rename(temporary, final)
	if err == nil {
		return nil
	}
	if _, there := os.Stat(final); there != nil {
		return err
	}

	return os.RemoveAll(temporary)
}

// touch marks an entry of the cache as used and reports whether it is there.
func touch(path string) bool {
	now := time.Now()
	return os.Chtimes(path, now, now) == nil
}

// inWork is how the names begin of what a process is making; workAge is how old that is at least when its process must be gone.
const (
	inWork  = "new-"
	workAge = 24 * time.Hour
)

// prune removes all but the keep entries of a folder that were used last. What another process is making is not removed, and not
// counted. Entries that cannot be removed are removed another time, so errors are of no interest.
func prune(dir string, keep int) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	used := func(e fs.DirEntry) time.Time {
		info, err := e.Info()
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), inWork) && time.Since(used(e)) < workAge
	})
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return used(b).Compare(used(a)) })
	for _, e := range entries[min(keep, len(entries)):] {
		_ = os.RemoveAll(filepath.Join(dir, e.Name()))
	}
}

// rememberBuilt notes which binary of the cache is that of a program; builtFor finds it, "" if the cache no longer has it.
func rememberBuilt(of app.Identity, binary string) {
	note, err := noteOf(of)
	if err != nil {
		return
	}
	if known, err := os.ReadFile(note); err == nil && string(known) == binary && touch(note) {
		return
	}
	dir := filepath.Dir(note)
	if temporary, err := writeTemporary(dir, inWork+"*", []byte(binary)); err == nil && os.Rename(temporary, note) == nil {
		prune(dir, 256)
	}
}

func builtFor(program app.Identity) string {
	note, err := noteOf(program)
	if err != nil {
		return ""
	}
	binary, err := os.ReadFile(note)
	if err != nil || !touch(string(binary)) {
		return ""
	}

	return string(binary)
}

func noteOf(program app.Identity) (string, error) {
	dir, err := cacheDir("programs")

	return filepath.Join(dir, hashOf([]byte(fmt.Sprintf("%q", program)))), err
}

// writeTemporary writes content into a new file of dir.
func writeTemporary(dir, pattern string, content []byte) (string, error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)

	return f.Name(), errors.Join(err, f.Close())
}

// hashOf names content in the cache.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
