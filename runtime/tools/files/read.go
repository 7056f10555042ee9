package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// folder is where the tools work.
type folder struct {
	root    string
	maxSize int64
	// swept are the folders in which nothing is left over, by their names.
	swept *sync.Map
}

// read returns the text of a file. Errors are for a model.
func (f folder) read(path string) (string, error) {
	name, err := clean(path)
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(f.root)
	if err != nil {
		return "", problem(path, err)
	}
	defer root.Close()

	file, err := openRegular(root, name)
	var wrong *kindError
	switch {
	case errors.As(err, &wrong) && wrong.mode.IsDir():
		return "", listing(root, name)
	case err != nil:
		return "", problem(path, err)
	}
	defer file.Close()

	return f.text(path, file)
}

// openRegular opens a file for reading, if it is a regular one. A pipe would hold up the caller who opens it, and a device may do
// anything: so the file is looked at before it is opened, and opened without waiting and looked at again, because what has
// the name may have changed between.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &kindError{info.Mode()}
	}
	file, err := root.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	info, err = file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &kindError{info.Mode()}
	}
	if err != nil {
		_ = file.Close()

		return nil, err
	}

	return file, nil
}

// text reads a file to its end, which may move while it is read.
func (f folder) text(path string, file io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(file, f.maxSize+1))
	switch {
	case err != nil:
		return "", problem(path, err)
	case int64(len(text)) > f.maxSize:
		return "", fmt.Errorf("%q is too large: a file may have %d bytes", path, f.maxSize)
	case !utf8.Valid(text):
		return "", fmt.Errorf("%q is not text in UTF-8", path)
	}

	return string(text), nil
}

// mostListed bounds how many names of a folder a model receives.
const mostListed = 200

// listing returns what is in a folder that was to be read as a file.
func listing(root *os.Root, name string) error {
	dir, err := root.Open(name)
	if err != nil {
		return problem(name, err)
	}
	defer dir.Close()

	// Twice as many are read, so that a folder whose hidden files come first still shows others.
	entries, err := dir.ReadDir(2 * mostListed)
	if err != nil && !errors.Is(err, io.EOF) {
		return problem(name, err)
	}
	var names []string
	for _, entry := range entries {
		if nameProblem(entry.Name()) != "" {
			continue
		}
		mark := ""
		if entry.IsDir() {
			mark = "/"
		}
		names = append(names, entry.Name()+mark)
	}
	sort.Strings(names)

	switch more := len(names) > mostListed || len(entries) == 2*mostListed; {
	case len(names) == 0:
		return fmt.Errorf("%q is an empty folder", name)
	case more:
		names = names[:min(len(names), mostListed)]

		return fmt.Errorf("%q is a folder; some of what it has is %s", name, strings.Join(names, ", "))
	}

	return fmt.Errorf("%q is a folder; it has %s", name, strings.Join(names, ", "))
}

// kindError is something that is not a regular file.
type kindError struct{ mode fs.FileMode }

func (e *kindError) Error() string {
	switch {
	case e.mode.IsDir():
		return "is a folder"
	case e.mode&fs.ModeSymlink != 0:
		return "is a link, and only what it leads to could be written"
	}

	return "is not a regular file"
}

// problem says to a model why something cannot be done with a path. Where the folder is is none of its business.
func problem(path string, err error) error {
	var wrong *kindError
	switch {
	case errors.As(err, &wrong):
		return fmt.Errorf("%q %w", path, wrong)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no %q", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%q may not be used", path)
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}

	return fmt.Errorf("%q cannot be used: %w", path, err)
}
