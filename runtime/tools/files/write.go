package files

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// Permissions of what is made: these are the project's results, which others may read, and not what a store keeps for
// itself.
const (
	filePerm   = 0o644
	folderPerm = 0o755
)

// write puts content into the place of a file, and says so. Errors are for a model; after one the file is as it was.
func (f folder) write(name, content string) (said string, err error) {
	clean, err := clean(name)
	if err != nil {
		return "", err
	}
	if int64(len(content)) > f.maxSize {
		return "", fmt.Errorf("the content of %q is too large: it has %d bytes, and may have %d", name, len(content), f.maxSize)
	}
	if err := os.MkdirAll(f.root, folderPerm); err != nil {
		return "", problem(name, err)
	}
	root, err := os.OpenRoot(f.root)
	if err != nil {
		return "", problem(name, err)
	}
	defer root.Close()

	perm, err := permission(root, clean)
	if err != nil {
		return "", problem(name, err)
	}
	if err := replace(root, clean, content, perm); err != nil {
		return "", problem(name, err)
	}

	if _, before := f.swept.LoadOrStore(path.Dir(clean), true); !before {
		sweep(root, path.Dir(clean))
	}

	return fmt.Sprintf("wrote %d bytes to %s", len(content), clean), nil
}

// permission makes the folders above a file, and returns the permissions that the file has or gets. What is there must be a
// regular file: a link is not followed, and not replaced either, since the caller who made it would be surprised by both.
func permission(root *os.Root, name string) (fs.FileMode, error) {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return filePerm, root.MkdirAll(path.Dir(name), folderPerm)
	}
	if err != nil {
		return 0, err
	}
	switch {
	case !info.Mode().IsRegular():
		return 0, &kindError{info.Mode()}
	case info.Mode().Perm()&0o200 == 0:
		return 0, fs.ErrPermission // another file could take its place, which is not what its owner meant
	}

	return info.Mode().Perm(), nil
}

// replace writes a file beside the one that is meant, and lets it take its place once all of it is on the disk: the caller who reads,
// and a crash at any time, finds the old content or the new.
func replace(root *os.Root, name, content string, perm fs.FileMode) (err error) {
	beside := path.Join(path.Dir(name), leftPrefix+strings.ToLower(rand.Text())+leftSuffix)
	if err := fill(root, beside, content, perm); err != nil {
		_ = root.Remove(beside)

		return err
	}
	if err := root.Rename(beside, name); err != nil {
		_ = root.Remove(beside)

		return err
	}
	syncFolder(root, path.Dir(name))

	return nil
}

// What the names of files begin and end with that are to take the place of another one, and when such a file is left over:
// the process that made it has died before that.
const (
	leftPrefix, leftSuffix = ".agentc-", ".tmp"
	leftAfter              = time.Hour
)

// sweep removes the files from a folder that are left over. It is no error if one cannot be removed.
func sweep(root *os.Root, name string) {
	dir, err := root.Open(name)
	if err != nil {
		return
	}
	defer dir.Close()
	all, _ := dir.ReadDir(-1) // what could be read
	for _, entry := range all {
		if !strings.HasPrefix(entry.Name(), leftPrefix) || !strings.HasSuffix(entry.Name(), leftSuffix) {
			continue
		}
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftAfter {
			_ = root.Remove(path.Join(name, entry.Name()))
		}
	}
}

func fill(root *os.Root, name, content string, perm fs.FileMode) (err error) {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, filePerm)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()

	if perm != filePerm { // what the process leaves out of permissions by its umask stays out of new ones
		if err := file.Chmod(perm); err != nil {
			return err
		}
	}
	if _, err := file.WriteString(content); err != nil {
		return err
	}

	return file.Sync()
}

// syncFolder makes the new name survive a crash of the computer. Not every system can; then the file has its old content after
// one, which is what the run's journal is about.
func syncFolder(root *os.Root, name string) {
	if dir, err := root.Open(name); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}
