package memo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/emit"
)

// Result is what generate needs of a compilation.
type Result struct {
	// Package and Output are those of the program: the Go package, and its folder relative to the project with forward slashes.
	Package, Output string
	// Diagnostics are the findings; Files are empty if one of them is an error.
	Diagnostics []*diag.Diagnostic
	Files       []emit.File
	// Remembered says that nothing was compiled.
	Remembered bool
}

// Memo remembers compilations of one compiler in one folder. The nil Memo remembers nothing.
type Memo struct {
	folder   string
	compiler string
}

// New returns a memo that keeps its entries in folder, which is made when it is needed. compiler names whoever compiles, as
// [Compiler] does: results are not shared between different ones.
func New(folder, compiler string) *Memo { return &Memo{folder: folder, compiler: compiler} }

// Compile compiles the project whose folder is dir and whose content is o.FS, or remembers what that gives. dir only decides
// which entry is looked at. o.Graph must be the same function for all compilations of one compiler.
func (m *Memo) Compile(ctx context.Context, dir string, o gen.Options) (*Result, error) {
	if m == nil || o.CheckOnly {
		return compile(ctx, o)
	}

	name := m.entryName(dir)
	if known, ok := m.load(name); ok && same(o.FS, known.Asked) {
		return &Result{Package: known.Package, Output: known.Output, Files: known.Files, Remembered: true}, nil
	}

	asker := &asker{fsys: o.FS}
	o.FS = asker
	result, err := compile(ctx, o)
	if err != nil {
		return nil, err
	}
	if !asker.lost && len(result.Diagnostics) == 0 {
		m.store(name, &entry{Asked: asker.asked, Package: result.Package, Output: result.Output, Files: result.Files})
	}

	return result, nil
}

func compile(ctx context.Context, o gen.Options) (*Result, error) {
	result, err := gen.Compile(ctx, o)
	if err != nil {
		return nil, err
	}

	return &Result{
		Package: result.Program.Package, Output: result.Program.Output,
		Diagnostics: result.Diagnostics, Files: result.Files,
	}, nil
}

// entryName is the file name of the entry of one project folder.
func (m *Memo) entryName(dir string) string {
	sum := sha256.Sum256([]byte(m.compiler + "\x00" + dir))

	return hex.EncodeToString(sum[:16])
}

var _ interface {
	fs.ReadFileFS
	fs.ReadDirFS
	fs.StatFS
} = (*asker)(nil)
