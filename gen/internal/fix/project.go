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

// EndlessError says that fixes were still offered after as many rounds as any project can need: a
// fault of agentc.
type EndlessError struct {
	// Last is one of them.
	Last Applied
}

// Error implements error.
func (e *EndlessError) Error() string {
	return fmt.Sprintf("fixes do not end, the last is to %s at %s:%d [%s]: a fault of agentc itself, please report it",
		e.Last.Fix.Message, e.Last.Finding.Span.File.Path, e.Last.Finding.Span.Pos().Line, e.Last.Finding.Check.Name)
}

// maxRounds bounds how often a project is compiled. Of a file that cannot be read one mistake is
// found at a time, so that a round for each of its lines may be needed.
const maxRounds = 1000

// Project applies the fixes of the project in o.FS that hold. The error is that of [gen.Compile],
// or an *EndlessError.
func Project(ctx context.Context, o gen.Options) (*Result, error) {
	return project(o.FS, func(fsys fs.FS) (*gen.Result, error) {
		o.FS, o.CheckOnly = fsys, true
		return gen.Compile(ctx, o)
	})
}

// project applies all fixes in memory and compares the diagnostics before and after. If some fixes
// do not hold, it applies the others again from the start. All fixes that do not hold are found at
// once, however many files have one, so that the number of compilations does not grow with the
// project.
func project(fsys fs.FS, check func(fs.FS) (*gen.Result, error)) (*Result, error) {
	before, err := check(fsys)
	if err != nil {
		return nil, err
	}
	rejected := map[fixKey]bool{}
	for {
		a := newAttempt(fsys, rejected)
		left, err := a.applyAll(before, check)
		if err != nil {
			return nil, err
		}
		failed := a.failedFixes(before.Diagnostics, left.Diagnostics)
		if len(failed) == 0 {
			return a.result(left)
		}
		for _, key := range failed {
			rejected[key] = true
		}
	}
}

// attempt is one application of the fixes of a project, without those that were rejected.
type attempt struct {
	overlay  overlay
	rejected map[fixKey]bool
	applied  []appliedFix
	history  history
}

// appliedFix is a fix in an attempt.
type appliedFix struct {
	Applied
	key fixKey
	// round is the round of the attempt in which it was applied.
	round int
}

// fixKey identifies a fix by its place in the file as it was before all fixes.
type fixKey struct {
	path             string
	offset           int
	check            *diag.Check
	message, newText string
}

func newAttempt(fsys fs.FS, rejected map[fixKey]bool) *attempt {
	return &attempt{overlay: overlay{FS: fsys, changed: map[string][]byte{}}, rejected: rejected, history: history{}}
}

// applyAll applies fixes round by round, and returns the compilation that offers no other one. The
// first round has the fixes of the compilation before.
func (a *attempt) applyAll(before *gen.Result, check func(fs.FS) (*gen.Result, error)) (*gen.Result, error) {
	left := before
	for round := range maxRounds {
		edits, fixes := a.choose(left.Diagnostics, round)
		if len(fixes) == 0 {
			return left, nil
		}
		a.applied = append(a.applied, fixes...)
		for path, edits := range edits {
			a.overlay.changed[path] = Apply(edits[0].Span.File.Bytes, edits)
			a.history.record(path, round, edits)
		}
		next, err := check(a.overlay)
		if err != nil {
			return nil, err
		}
		left = next
	}

	return nil, &EndlessError{Last: a.applied[len(a.applied)-1].Applied}
}

// choose returns the fixes that can be applied at once, in the order of the diagnostics: the first
// of two that are in each other's way.
func (a *attempt) choose(found []*diag.Diagnostic, round int) (batch, []appliedFix) {
	edits := batch{}
	var fixes []appliedFix
	for _, d := range found {
		if len(d.Fixes) == 0 || !a.overlay.has(d.Fixes[0]) {
			continue
		}
		key := a.keyOf(d, round)
		if a.rejected[key] {
			continue
		}
		if edits.add(d.Fixes[0]) {
			fixes = append(fixes, appliedFix{Applied{d, d.Fixes[0]}, key, round})
		}
	}

	return edits, fixes
}

// keyOf returns the key of the first fix of a diagnostic of a round.
func (a *attempt) keyOf(d *diag.Diagnostic, round int) fixKey {
	f := d.Fixes[0]
	key := fixKey{check: d.Check, message: f.Message}
	if len(f.Edits) > 0 {
		first := f.Edits[0]
		key.path, key.newText = first.Span.File.Path, first.New
		key.offset = a.history.original(key.path, first.Span.Start, round)
	}

	return key
}

// result is what an attempt whose fixes all hold gives. A fix that was rejected is offered no more.
func (a *attempt) result(left *gen.Result) (*Result, error) {
	r := &Result{Left: left}
	for _, f := range a.applied {
		r.Applied = append(r.Applied, f.Applied)
	}
	for _, d := range left.Diagnostics {
		if len(d.Fixes) > 0 && a.overlay.has(d.Fixes[0]) && a.rejected[a.keyOf(d, maxRounds)] {
			d.Fixes = nil
		}
	}

	return r, r.compare(a.overlay)
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

// overlay is a folder with other contents of some files. It answers what compilations ask; sizes
// and times are those of the folder.
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
