package gen

import (
	"context"
	"io/fs"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/verify"
)

// Options configure a compilation.
type Options struct {
	// FS is the project folder. Paths in diagnostics and files are relative to it, with forward
	// slashes.
	FS fs.FS
	// Alone is a workflow file in the root of FS that is compiled as a project of its own, with its
	// imports; "" for a project folder.
	Alone string
	// CheckOnly ends the compilation after the checks: the result has no files.
	CheckOnly bool
	// Graph draws the diagram of an agent for the comment above its code; without it there is no
	// diagram.
	Graph func(*ir.Agent) string
}

// Result is the result of a compilation.
type Result struct {
	// Program is the project as the compiler read it; if a diagnostic is an error, parts of it may
	// be missing.
	Program *ir.Program
	// Diagnostics are all diagnostics, sorted by file and position, each once.
	Diagnostics []*diag.Diagnostic
	// Files are the generated files: those of the agents by name, then the shared ones; none if a
	// diagnostic is an error.
	Files []emit.File
}

// HasErrors reports whether a diagnostic is an error, so that there are no files.
func (r *Result) HasErrors() bool {
	return slices.ContainsFunc(r.Diagnostics, (*diag.Diagnostic).IsError)
}

// Compile compiles a project. Mistakes of the user are diagnostics. The error is about a file that
// could not be read, or from ctx, or a bug of the compiler: the generated code does not match the
// project. With an error there are no files.
func Compile(ctx context.Context, o Options) (*Result, error) {
	list := &diag.List{}
	program, err := o.loadProject(list)
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}

	check.Run(program, list)
	var own []ir.Text
	if o.Alone == "" {
		own, err = findOwnNames(o.FS, program)
	}
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}

	var files []emit.File
	isWanted := !o.CheckOnly || len(own) > 0 // conflicts of names are found in the emitted files
	if isWanted && !list.HasErrors() {
		files, err = emit.Files(program, emit.Options{Graph: o.Graph})
		if err != nil {
			return nil, err
		}
		reportTakenNames(files, own, program, list)
	}
	result := &Result{Program: program, Diagnostics: list.Sorted()}
	if list.HasErrors() || o.CheckOnly {
		return result, nil
	}
	if err := verify.Files(program, files); err != nil {
		return nil, err
	}
	result.Files = files

	return result, nil
}

// loadProject reads the project.
func (o Options) loadProject(list *diag.List) (*ir.Program, error) {
	if o.Alone != "" {
		return loader.LoadAlone(o.FS, o.Alone, list)
	}

	return loader.Load(o.FS, list)
}
