package source

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
)

// ResolvePath resolves a path of a source file relative to the folder base. ok is false if it
// leaves the project, or is not a path with forward slashes.
func ResolvePath(base, name string) (cleaned string, ok bool) {
	if name == "" || strings.HasPrefix(name, "/") || strings.ContainsAny(name, "\\\x00:") {
		return "", false
	}
	cleaned = path.Join(base, name)

	return cleaned, cleaned != ".." && !strings.HasPrefix(cleaned, "../")
}

// FirstLink returns the first part of the path that is a symbolic link, or "".
func FirstLink(fsys fs.FS, file string) string {
	parts := strings.Split(file, "/")
	for i := range parts {
		part := path.Join(parts[:i+1]...)
		info, err := fs.Lstat(fsys, part)
		switch {
		case err != nil:
			return "" // a missing part has no children
		case info.Mode()&fs.ModeSymlink != 0:
			return part
		}
	}

	return ""
}

// maxLinks is the maximum number of symbolic links on the way to one file.
const maxLinks = 40

// EscapingLink returns the first part of the path that is a symbolic link out of the project, or
// "". A link to an absolute path counts, too. Files after such a link are not read: compiling a
// project reads nothing outside of it.
func EscapingLink(fsys fs.FS, file string) string {
	parts := strings.Split(file, "/")
	for i := range parts {
		if part := path.Join(parts[:i+1]...); leadsOut(fsys, part, maxLinks) {
			return part
		}
	}

	return ""
}

// leadsOut reports whether the links on the way to a file leave the project.
func leadsOut(fsys fs.FS, file string, links int) bool {
	link := FirstLink(fsys, file)
	if link == "" {
		return false
	}
	to, err := fs.ReadLink(fsys, link)
	to, ok := ResolvePath(path.Dir(link), strings.ReplaceAll(to, "\\", "/"))

	return err != nil || !ok || links == 0 || leadsOut(fsys, path.Join(to, file[len(link):]), links-1)
}

// IsLink reports whether a file or folder is a symbolic link.
func IsLink(fsys fs.FS, name string) bool {
	info, err := fs.Lstat(fsys, name)

	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// IsFile reports whether there is a regular file with the name, and not a folder or a device.
func IsFile(fsys fs.FS, name string) bool {
	there, err := HasFile(fsys, name)

	return err == nil && there
}

// HasFile is IsFile with the error of the file system.
func HasFile(fsys fs.FS, name string) (bool, error) {
	info, err := fs.Stat(fsys, name)
	for _, none := range []error{fs.ErrNotExist, fs.ErrInvalid, syscall.ENOTDIR, syscall.ENAMETOOLONG} {
		if errors.Is(err, none) {
			return false, nil
		}
	}

	return err == nil && info.Mode().IsRegular(), err
}

// Names returns the sorted names in a folder, without those that begin with a dot. A missing folder
// has no names.
func Names(fsys fs.FS, dir string) ([]string, error) {
	entries, err := Entries(fsys, dir)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}

	return names, err
}

// Entries is Names with the entries of the folder.
func Entries(fsys fs.FS, dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(fsys, dir) // sorted
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}

	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }), err
}
