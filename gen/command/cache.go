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

// publish gives a finished temporary file its final name. If another process was faster, what that one made is as good, since names in
// the cache say what is inside.
func publish(temporary, final string) error {
	err := os.Rename(temporary, final)
	if err == nil || !exists(final) {
		return err
	}

	return os.Remove(temporary)
}

// touch marks an entry of the cache as used and reports whether it is there.
func touch(path string) bool {
	now := time.Now()
	return os.Chtimes(path, now, now) == nil
}

// lastUsed returns the files and folders of a folder that match a pattern, those first that were used last.
func lastUsed(dir, pattern string) []string {
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

// inWork is how the names begin of what a process is making; workAge is how old that is at least when its process must be gone.
const (
	inWork  = "new-"
	workAge = 24 * time.Hour
)

// prune removes all but the keep entries of a folder that were used last. What another process is making is not removed, and not
// counted. Entries that cannot be removed are removed another time, so errors are of no interest.
func prune(dir string, keep int) {
	entries := slices.DeleteFunc(lastUsed(dir, "*"), func(name string) bool {
		return strings.HasPrefix(filepath.Base(name), inWork) && time.Since(usedAt(name)) < workAge
	})
	for _, name := range entries[min(keep, len(entries)):] {
		_ = os.RemoveAll(name)
	}
}

// cached puts content into the cache under a name made of it and returns the file.
func cached(folder, suffix string, content []byte) (string, error) {
	dir, err := cacheDir(folder)
	if err != nil {
		return "", err
	}
	final := filepath.Join(dir, hashOf(content)+suffix)
	if touch(final) {
		return final, nil
	}
	temporary, err := writeTemporary(dir, inWork+"*", content)
	if err == nil {
		err = publish(temporary, final)
	}
	prune(dir, 64)

	return final, err
}

// noteBuilt notes which binary of the cache is that of a program or of a build; builtFor finds it, "" if the cache no longer has it.
func noteBuilt(of any, binary string) {
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

func builtFor(of any) string {
	note, err := noteOf(of)
	if err != nil {
		return ""
	}
	binary, err := os.ReadFile(note)
	if err != nil || !touch(string(binary)) {
		return ""
	}

	return string(binary)
}

func noteOf(of any) (string, error) {
	dir, err := cacheDir("programs")

	return filepath.Join(dir, hashOf(fmt.Appendf(nil, "%T %[1]q", of))), err
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
