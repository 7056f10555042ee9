package source

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
)

// Inside cleans a path that a source file names relative to the folder base; ok is false if it leads out of the
// project, or is no path with forward slashes.
func Inside(base, name string) (cleaned string, ok bool) {
	if name == "" || strings.HasPrefix(name, "/") || strings.ContainsAny(name, "\\\x00:") {
		return "", false
	}
	cleaned = path.Join(base, name)

	return cleaned, cleaned != ".." && !strings.HasPrefix(cleaned, "../")
}

// Link returns the first part of the path that is a symbolic link; "" if there is none.
func Link(fsys fs.FS, file string) string {
	parts := strings.Split(file, "/")
	for i := range parts {
		part := path.Join(parts[:i+1]...)
		info, err := fs.Lstat(fsys, part)
		switch {
		case err != nil:
			return "" // nothing is below what is not there
		case info.Mode()&fs.ModeSymlink != 0:
			return part
		}
	}

	return ""
}

// maxLinks is how many symbolic links are followed on the way to one file.
const maxLinks = 40

// Escape returns the first part of the path that is a symbolic link out of the project; "" if there is none. A link to an absolute path
// counts as one, wherever that is. What is behind such a link is not read: compiling a project reads nothing of the disk beside it.
func Escape(fsys fs.FS, file string) string {
	parts := strings.Split(file, "/")
	for i := range parts {
		if part := path.Join(parts[:i+1]...); leadsOut(fsys, part, maxLinks) {
			return part
		}
	}

	return ""
}

// leadsOut follows the links on the way to a file, as far as they are inside the project.
func leadsOut(fsys fs.FS, file string, links int) bool {
	link := Link(fsys, file)
	if link == "" {
		return false
	}
	to, err := fs.ReadLink(fsys, link)
	to, ok := Inside(path.Dir(link), strings.ReplaceAll(to, "\\", "/"))

	return err != nil || !ok || links == 0 || leadsOut(fsys, path.Join(to, file[len(link):]), links-1)
}

// IsLink reports whether a file or folder is a symbolic link; in a file system without links none is.
func IsLink(fsys fs.FS, name string) bool {
	info, err := fs.Lstat(fsys, name)

	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// IsFile reports whether there is a file of that name, which is not a folder, and no device to wait for either.
func IsFile(fsys fs.FS, name string) bool {
	there, err := HasFile(fsys, name)

	return err == nil && there
}

// HasFile is IsFile with the error of a file system that cannot know.
func HasFile(fsys fs.FS, name string) (bool, error) {
	info, err := fs.Stat(fsys, name)
	for _, none := range []error{fs.ErrNotExist, fs.ErrInvalid, syscall.ENOTDIR, syscall.ENAMETOOLONG} {
		if errors.Is(err, none) {
			return false, nil
		}
	}

	return err == nil && info.Mode().IsRegular(), err
}

// Names returns the sorted names in a folder, without those that begin with a dot; none if there is no such folder.
func Names(fsys fs.FS, dir string) ([]string, error) {
	entries, err := Entries(fsys, dir)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}

	return names, err
}

// Entries is Names with what the folder says of each.
func Entries(fsys fs.FS, dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(fsys, dir) // sorted
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}

	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }), err
}
