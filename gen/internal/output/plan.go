package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// File is a generated file.
type File struct {
	// Name is the file's name inside the output folder.
	Name    string
	Content []byte
}

// Plan says how the output folder differs from what the sources give.
type Plan struct {
	// Changes are sorted by path, unchanged files included.
	Changes []Change
}

// Change is what becomes of one file.
type Change struct {
	// Path is slash-separated and relative to the project folder.
	Path string
	// Old is the content on disk, nil if the file is not there; New is what the sources give, nil if no source produces the
	// file any more.
	Old, New []byte
}

// Same reports whether nothing has to be done. Lines that a checkout has ended with \r\n are the same lines.
func (c Change) Same() bool {
	return c.Old != nil && c.New != nil &&
		(bytes.Equal(c.Old, c.New) || bytes.Equal(bytes.ReplaceAll(c.Old, []byte("\r\n"), []byte("\n")), c.New))
}

// Summary counts what was done.
type Summary struct {
	Written, Removed, Unchanged int
}

// String returns "3 written, 1 removed, 9 unchanged"; removed files are only mentioned if there are any.
func (s Summary) String() string {
	if s.Removed == 0 {
		return fmt.Sprintf("%d written, %d unchanged", s.Written, s.Unchanged)
	}

	return fmt.Sprintf("%d written, %d removed, %d unchanged", s.Written, s.Removed, s.Unchanged)
}

// Changed reports whether anything differed.
func (s Summary) Changed() bool { return s.Written+s.Removed > 0 }

// Sink receives the changes of a plan, one after the other.
type Sink func(Change) error

// Apply gives every change to sink: first the files that the sources give, then those that go. It stops at the first error.
func (p *Plan) Apply(sink Sink) (Summary, error) {
	var s Summary
	for _, c := range p.Changes {
		if c.New == nil {
			continue
		}
		if err := sink(c); err != nil {
			return s, err
		}
		if c.Same() {
			s.Unchanged++
		} else {
			s.Written++
		}
	}
	for _, c := range p.Changes {
		if c.New != nil {
			continue
		}
		if err := sink(c); err != nil {
			return s, err
		}
		s.Removed++
	}

	return s, nil
}

// Compare reads the output folder dir of a project (slash-separated, relative to the project folder; "." is the folder
// itself) and says what has to change so that it holds exactly files of Go package pkg. The error is a *ConflictError if
// something there is not ours to change; all such places are named.
func Compare(fsys FS, dir, pkg string, files []File) (*Plan, error) {
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		entries, err = nil, nil
	}
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		if link := linkOn(fsys, dir); link != "" {
			return nil, outside(link)
		}
	}
	if err != nil {
		return nil, err
	}

	c := comparison{fsys: fsys, dir: dir, pkg: pkg, entries: entries}
	c.refuseProject()
	changes := map[string]Change{}
	for _, f := range files {
		changes[f.Name] = Change{Path: path.Join(dir, f.Name), New: f.Content}
	}
	for _, e := range entries {
		if err := c.entry(e, changes); err != nil {
			return nil, err
		}
	}
	if len(c.conflicts) > 0 {
		return nil, &ConflictError{Conflicts: c.conflicts}
	}

	p := &Plan{}
	for _, change := range changes {
		p.Changes = append(p.Changes, change)
	}
	slices.SortFunc(p.Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })

	return p, nil
}

// outside says that the output folder is a link, or lies behind one, that leads out of the project.
func outside(link string) *ConflictError {
	return &ConflictError{Conflicts: []Conflict{{
		Path:    link,
		Problem: "is a link that leads out of the project, where nothing is written (`output:` of agentc.yaml names another folder)",
	}}}
}

// linkOn returns the first symbolic link on the way to a folder; "" if there is none.
func linkOn(fsys FS, dir string) string {
	above := "."
	for _, name := range strings.Split(dir, "/") {
		entries, err := fsys.ReadDir(above)
		if err != nil {
			return ""
		}
		above = path.Join(above, name)
		for _, e := range entries {
			if e.Name() == name && e.Type()&fs.ModeSymlink != 0 {
				return above
			}
		}
	}

	return ""
}

type comparison struct {
	fsys      FS
	dir, pkg  string
	entries   []fs.DirEntry
	conflicts []Conflict
}

// entry judges one entry of the output folder.
func (c *comparison) entry(e fs.DirEntry, changes map[string]Change) error {
	change, wanted := changes[e.Name()]
	switch {
	case !e.Type().IsRegular() && wanted:
		c.refuse(e.Name(), "stands where a generated file belongs, and is no regular file")
		return nil
	case !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), ".go") || ignored(e.Name()):
		return nil
	}
	name := path.Join(c.dir, e.Name())
	content, err := c.fsys.ReadFile(name)
	if err != nil {
		return err
	}
	if content == nil {
		content = []byte{}
	}

	switch ours := Generated(content); {
	case wanted && ours:
		change.Old = content
		changes[e.Name()] = change
	case wanted:
		c.refuse(e.Name(), "was not generated by agentc, but a generated file has this name")
	case ours && generatedName(e.Name()):
		changes[e.Name()] = Change{Path: name, Old: content}
	default:
		c.clause(e.Name(), content)
	}

	return nil
}

// ignored reports whether the go command ignores a file by its name.
func ignored(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }

func generatedName(name string) bool {
	return strings.HasSuffix(name, "_gen.go") || strings.HasSuffix(name, "_gen_test.go")
}

// Generated reports whether a file begins with the header of generated files.
func Generated(content []byte) bool {
	line, _, _ := bytes.Cut(content, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))

	return bytes.HasPrefix(line, []byte("// Code generated by agentc")) && bytes.HasSuffix(line, []byte("DO NOT EDIT."))
}
