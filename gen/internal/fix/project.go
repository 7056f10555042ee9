package fix

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
)

// Result is what applying the fixes of a project gives.
type Result struct {
	// Left is the compilation of the fixed project, as far as its checks.
	Left *gen.Result
	// Applied are the fixes that were applied, in the order in which that was done.
	Applied []Applied
	// Files are the files that changed, by path.
	Files []File
}

// Applied is a fix that was applied. Its places are those of the file as it was when its turn came.
type Applied struct {
	Finding *diag.Diagnostic
	Fix     diag.Fix
}

// File is a file that changed. Path is slash-separated and relative to the project folder.
type File struct {
	Path     string
	Old, New []byte
}

// EndlessError says that fixes were still offered after as many rounds as any project can need: a fault of agentc.
type EndlessError struct {
	// Last is one of them.
	Last Applied
}

// Error implements error.
func (e *EndlessError) Error() string {
	return fmt.Sprintf("fixes do not end, the last is to %s at %s:%d [%s]: a fault of agentc itself, please report it",
		e.Last.Fix.Message, e.Last.Finding.Span.File.Path, e.Last.Finding.Span.Pos().Line, e.Last.Finding.Check.Name)
}

// maxRounds bounds how often a project is compiled. Of a file that cannot be read one mistake is found at a time, so that a
// round for each of its lines may be needed.
const maxRounds = 1000

// Project applies the fixes of the project in o.FS. The error is that of [gen.Compile], or an *EndlessError.
func Project(ctx context.Context, o gen.Options) (*Result, error) {
	return project(o.FS, func(fsys fs.FS) (*gen.Result, error) {
		o.FS, o.CheckOnly = fsys, true
		return gen.Compile(ctx, o)
	})
}

// project applies fixes round by round.
func project(fsys fs.FS, check func(fs.FS) (*gen.Result, error)) (*Result, error) {
	o := overlay{FS: fsys, changed: map[string][]byte{}}
	r := &Result{}
	for range maxRounds {
		left, err := check(o)
		if err != nil {
			return nil, err
		}
		edits, fixes := choose(o, left.Diagnostics)
		if len(fixes) == 0 {
			r.Left = left
			return r, r.compare(o)
		}
		r.Applied = append(r.Applied, fixes...)
		for path, edits := range edits {
			o.changed[path] = Apply(edits[0].Span.File.Bytes, edits)
		}
	}

	return nil, &EndlessError{Last: r.Applied[len(r.Applied)-1]}
}

// choose returns the fixes that can be applied at once, in the order of the findings: the first of two that are in each
// other's way.
func choose(o overlay, findings []*diag.Diagnostic) (batch, []Applied) {
	edits := batch{}
	var fixes []Applied
	for _, d := range findings {
		if len(d.Fixes) > 0 && o.has(d.Fixes[0]) && edits.add(d.Fixes[0]) {
			fixes = append(fixes, Applied{d, d.Fixes[0]})
		}
	}

	return edits, fixes
}

// has reports whether the files that a fix edits are those of the folder.
func (o overlay) has(f diag.Fix) bool {
	return !slices.ContainsFunc(f.Edits, func(e diag.Edit) bool {
		if e.Span.File == nil {
			return true
		}
		content, err := fs.ReadFile(o, e.Span.File.Path)

		return err != nil || !bytes.Equal(content, e.Span.File.Bytes)
	})
}

// compare notes which files differ from those of the folder.
func (r *Result) compare(o overlay) error {
	for path, content := range o.changed {
		old, err := fs.ReadFile(o.FS, path)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, content) {
			r.Files = append(r.Files, File{Path: path, Old: old, New: content})
		}
	}
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })

	return nil
}

// overlay is a folder with other contents of some files. It answers what compilations ask; sizes and times are those of the
// folder.
type overlay struct {
	fs.FS
	changed map[string][]byte
}

// Open implements [fs.FS].
func (o overlay) Open(name string) (fs.File, error) {
	f, err := o.FS.Open(name)
	if content, ok := o.changed[name]; ok && err == nil {
		return opened{File: f, content: bytes.NewReader(content)}, nil
	}

	return f, err
}

// Lstat implements [fs.ReadLinkFS].
func (o overlay) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(o.FS, name) }

// ReadLink implements [fs.ReadLinkFS].
func (o overlay) ReadLink(name string) (string, error) { return fs.ReadLink(o.FS, name) }

// opened is a file with another content.
type opened struct {
	fs.File
	content *bytes.Reader
}

// Read implements [fs.File].
func (f opened) Read(p []byte) (int, error) { return f.content.Read(p) }
