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

// Result is the result of applying the fixes of a project.
type Result struct {
	// Left is the checked, fixed project.
	Left *gen.Result
	// Applied are the fixes that were applied, in the order in which that was done.
	Applied []Applied
	// Applied are the applied fixes, in order.
	Files []File
}

// Applied is an applied fix. Its positions refer to the file before it was applied.
type Applied struct {
	Finding *diag.Diagnostic
	Fix     diag.Fix
}

// File is a changed file. Path is slash-separated and relative to the project folder.
type File struct {
	Path     string
	Old, New []byte
}

// EndlessError means that fixes are still offered after more rounds than any project needs. It is a
// bug of agentc.
type EndlessError struct {
	// Last is one of these fixes.
	Last Applied
}

// Error implements error.
func (e *EndlessError) Error() string {
	return fmt.Sprintf("applying fixes does not end, the last fix is to %s at %s:%d [%s]: a bug of agentc, please report it",
		e.Last.Fix.Message, e.Last.Finding.Span.File.Path, e.Last.Finding.Span.Pos().Line, e.Last.Finding.Check.Name)
}

// maxRounds bounds how often a project is compiled. In a file with syntax errors only one mistake
// is found at a time, so that each of its lines may need a round.
const maxRounds = 1000

// Project applies the fixes of the project in o.FS that hold. The error is an error of
// [gen.Compile], or an *EndlessError.
func Project(ctx context.Context, o gen.Options) (*Result, error) {
	return fixProject(o.FS, func(fsys fs.FS) (*gen.Result, error) {
		o.FS, o.CheckOnly = fsys, true
		return gen.Compile(ctx, o)
	})
}

// fixProject applies all fixes in memory and compares the diagnostics before and after. If some
// fixes do not hold, it starts again without them. It finds all of these at once, so that the
// number of compilations does not grow with the project.
func fixProject(fsys fs.FS, check func(fs.FS) (*gen.Result, error)) (*Result, error) {
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
			return a.newResult(left)
		}
		for _, key := range failed {
			rejected[key] = true
		}
	}
}

// attempt is one application of the fixes of a project, except the rejected ones.
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
	// round is the round in which it was applied.
	round int
}

// fixKey identifies a fix by its position in the file before all fixes.
type fixKey struct {
	path             string
	offset           int
	check            *diag.Check
	message, newText string
}

func newAttempt(fsys fs.FS, rejected map[fixKey]bool) *attempt {
	return &attempt{overlay: overlay{FS: fsys, changed: map[string][]byte{}}, rejected: rejected, history: history{}}
}

// applyAll applies fixes round by round, and returns the last compilation, which offers no other
// fix. before is the compilation without any fix.
func (a *attempt) applyAll(before *gen.Result, check func(fs.FS) (*gen.Result, error)) (*gen.Result, error) {
	left := before
	for round := range maxRounds {
		edits, fixes := a.chooseFixes(left.Diagnostics, round)
		if len(fixes) == 0 {
			return left, nil
		}
		a.applied = append(a.applied, fixes...)
		for path, edits := range edits {
			a.overlay.changed[path] = Apply(edits[0].Span.File.Bytes, edits)
			a.history.recordRound(path, round, edits)
		}
		next, err := check(a.overlay)
		if err != nil {
			return nil, err
		}
		left = next
	}

	return nil, &EndlessError{Last: a.applied[len(a.applied)-1].Applied}
}

// chooseFixes returns fixes that can be applied together, in the order of the diagnostics. Of
// conflicting fixes it returns the first.
func (a *attempt) chooseFixes(found []*diag.Diagnostic, round int) (batch, []appliedFix) {
	edits := batch{}
	var fixes []appliedFix
	for _, d := range found {
		if len(d.Fixes) == 0 || !a.overlay.hasSources(d.Fixes[0]) {
			continue
		}
		key := a.fixKey(d, round)
		if a.rejected[key] {
			continue
		}
		if edits.addFix(d.Fixes[0]) {
			fixes = append(fixes, appliedFix{Applied{d, d.Fixes[0]}, key, round})
		}
	}

	return edits, fixes
}

// fixKey returns the key of the first fix of a diagnostic of a round.
func (a *attempt) fixKey(d *diag.Diagnostic, round int) fixKey {
	f := d.Fixes[0]
	key := fixKey{check: d.Check, message: f.Message}
	if len(f.Edits) > 0 {
		first := f.Edits[0]
		key.path, key.newText = first.Span.File.Path, first.New
		key.offset = a.history.mapBack(key.path, first.Span.Start, round)
	}

	return key
}

// newResult returns the result of an attempt whose fixes all hold. It removes rejected fixes from
// the diagnostics.
func (a *attempt) newResult(left *gen.Result) (*Result, error) {
	r := &Result{Left: left}
	for _, f := range a.applied {
		r.Applied = append(r.Applied, f.Applied)
	}
	for _, d := range left.Diagnostics {
		if len(d.Fixes) > 0 && a.overlay.hasSources(d.Fixes[0]) && a.rejected[a.fixKey(d, maxRounds)] {
			d.Fixes = nil
		}
	}

	return r, r.collectFiles(a.overlay)
}

// hasSources reports whether the contents that a fix edits are the current ones.
func (o overlay) hasSources(f diag.Fix) bool {
	return !slices.ContainsFunc(f.Edits, func(e diag.Edit) bool {
		if e.Span.File == nil {
			return true
		}
		content, err := fs.ReadFile(o, e.Span.File.Path)

		return err != nil || !bytes.Equal(content, e.Span.File.Bytes)
	})
}

// collectFiles adds the files that differ from those of the folder.
func (r *Result) collectFiles(o overlay) error {
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

// overlay is a folder with other contents of some files. It implements only what compilations use;
// sizes and times come from the folder.
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

// opened is an open file with another content.
type opened struct {
	fs.File
	content *bytes.Reader
}

// Read implements [fs.File].
func (f opened) Read(p []byte) (int, error) { return f.content.Read(p) }
