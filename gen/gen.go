package gen

import (
	"context"
	"io/fs"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/verify"
)

// Options say what to compile.
type Options struct {
	// FS is the project folder. Paths in diagnostics and files are relative to it, with forward slashes.
	FS fs.FS
	// Alone is a workflow file in the root of FS that is a project of its own, with what it imports; "" for a project folder.
	Alone string
	// CheckOnly ends after the checks: the result has no files.
	CheckOnly bool
	// Graph draws an agent for the comment above its code; without it there is no picture.
	Graph func(*ir.Agent) string
}

// Result is what a compilation gives.
type Result struct {
	// Program is the project as it was understood; with errors among the diagnostics it may have gaps.
	Program *ir.Program
	// Diagnostics are all findings by file and place, each once.
	Diagnostics []*diag.Diagnostic
	// Files are the generated files: those of the agents by name, then what is shared; none when a diagnostic is an error.
	Files []emit.File
}

// HasErrors reports whether a diagnostic is an error, so that there are no files.
func (r *Result) HasErrors() bool {
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Error {
			return true
		}
	}

	return false
}

// Compile compiles a project. Mistakes of the user are diagnostics; the error is that of a file that could not be read,
// of ctx, or a fault of the compiler: what it emitted does not read back as what it understood. It is all or nothing:
// with an error there are no files.
func Compile(ctx context.Context, o Options) (*Result, error) {
	list := &diag.List{}
	program, err := o.load(list)
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}

	check.Run(program, list)
	result := &Result{Program: program, Diagnostics: list.Sorted()}
	if list.HasErrors() || o.CheckOnly {
		return result, nil
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}

	files, err := emit.Files(program, emit.Options{Graph: o.Graph})
	if err != nil {
		return nil, err
	}
	if err := verify.Files(program, files); err != nil {
		return nil, err
	}
	result.Files = files

	return result, nil
}

// load reads the project.
func (o Options) load(list *diag.List) (*ir.Program, error) {
	if o.Alone != "" {
		return loader.LoadAlone(o.FS, o.Alone, list)
	}

	return loader.Load(o.FS, list)
}
