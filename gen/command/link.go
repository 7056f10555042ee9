package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// linking makes a binary from a compiled project.
type linking struct {
	c      *cli.Call
	p      *project
	result *gen.Result
	// scripted are the typed tools, named guards and functions of workflows that a script answers.
	scripted answers
	// isBare is set once the binary is made without Go of the user, whose methods a script
	// replaces.
	isBare bool
	// runsNothing is set if the binary runs no agent; then tools, guards and functions need no
	// answers.
	runsNothing bool
	// environ are the variables of the binary; nil means the variables of this process.
	environ []string
	// panel is set if the binary draws runs on a terminal, even if the project does not include the
	// panel.
	panel bool
	// reportSlow reports a slow build; nil prints a message on stderr.
	reportSlow func(text string)
	// replacement are the generated files for the binary, if they are not the files on the disk;
	// otherwise nil.
	replacement []emit.File
}

// target is the binary to make.
type target struct {
	// file is the path of the binary; "" means a file in the cache.
	file string
	// flags are additional arguments of go build, env additional variables.
	flags, env []string
}

// link makes the binary and returns its path.
func (l *linking) link(t target) (binary string, err error) {
	ctx := context.Background()
	inModule, err := gopkg.UsesAgentc(ctx, l.p.dir)
	var unseen *gopkg.ModuleError
	switch {
	case errors.As(err, &unseen):
		return "", l.c.Errorf(cli.Problem, "%w", err)
	case err != nil:
		return "", err
	}
	var own gopkg.Program
	switch {
	case inModule:
		own, err = l.prepareModule(ctx)
		if err != nil {
			return "", err
		}
		if lacking := l.p.missingPartMessages(ctx, l.c, l.linkedFiles()); len(lacking) > 0 {
			return "", l.c.Errorf(cli.Problem, "%s", strings.Join(lacking, "\n"))
		}
	case l.c.On("main"):
		return "", l.c.Usagef("--main: %s is in no Go module that requires agentc", l.c.Rel(l.p.dir))
	default:
		if pkg, _ := packageName(l.p.dir); pkg == "main" {
			printMessage(l.c, "the package main of %s is not used: the folder is in no Go module that requires %s",
				l.c.Rel(l.p.dir), gopkg.Agentc)
		}
	}
	var made *gopkg.AppFunc
	if own.Folder == "" && !l.runsNothing {
		made, err = l.chooseMain(own, inModule)
		if err != nil {
			return "", err
		}
		l.isBare = made == nil
	}

	project := l.bareProjectBuild
	if inModule {
		project = func() (goBuild, error) { return l.moduleBuild(ctx, own.Folder, made) }
	}
	b, err := project()
	if err == nil {
		if !inModule && t.file != "" {
			b.flags = append(b.flags, withoutHTTP2)
		}
		binary, err = l.buildBinary(ctx, t, b)
	}
	if err != nil {
		return "", l.explainBuildError(err)
	}
	hasUserGo := own.Folder != "" || made != nil
	if !hasUserGo || t.file != "" { // it contains only generated Go, or is not started now
		return binary, nil
	}
	err = l.identifyProgram(binary, l.programDescription(own.Folder, made))
	var foreign *ForeignProgramError
	if errors.As(err, &foreign) {
		err = l.c.Errorf(cli.Problem, "%w", err)
	}

	return binary, err
}

// withoutHTTP2 excludes HTTP/2, a tenth of a binary with a model, from binaries without the user's
// Go: servers of models support HTTP/1.1. agentc run does not use the tag, because the build cache
// of Go has net/http without it.
const withoutHTTP2 = "-tags=nethttpomithttp2"

// prepareModule updates the output folder and finds the program of the project.
func (l *linking) prepareModule(ctx context.Context) (own gopkg.Program, err error) {
	summary, err := l.p.writeOutput(l.c, l.result)
	if err != nil {
		return own, err
	}
	if summary.HasChanges() {
		fmt.Fprintf(l.c.Notes(), "%s: %s\n", l.p.label(l.c)(l.result.Program.Output), summary)
	}

	want := ""
	if l.c.On("main") {
		want, err = filepath.Rel(l.p.dir, l.c.Path(l.c.Flag("main")))
		if err != nil {
			return own, err
		}
	}
	own, err = gopkg.FindProgram(ctx, l.p.dir, filepath.ToSlash(want),
		gopkg.AppType{Folder: l.result.Program.Output, Name: names.FixedNames(l.result.Program).App})
	var many *gopkg.ManyMainsError
	var no *gopkg.NotMainError
	switch {
	case errors.As(err, &many): // paths for --main
		for i, folder := range many.Folders {
			many.Folders[i] = l.p.label(l.c)(folder)
		}
		return own, l.c.Usagef("%v", err)
	case errors.As(err, &no):
		no.Folder = l.c.Flag("main")
		return own, l.c.Usagef("%v", err)
	case err != nil && isUntidy(err.Error()):
		return own, l.untidyError()
	}

	return own, err
}

// isUntidy reports whether the go command refused a module because go mod tidy is needed. output is
// what it printed.
func isUntidy(output string) bool {
	return strings.Contains(output, "updates to go.mod needed") || strings.Contains(output, "missing go.sum entry")
}

func (l *linking) untidyError() error {
	return l.c.Errorf(cli.Problem, "go.mod and go.sum of the module of %s are not up to date; run there: go mod tidy", l.c.Rel(l.p.dir))
}

// linkedFiles returns the generated files for the binary. A binary that calls no model is linked
// without the code that opens models, so that it needs no modules of providers.
func (l *linking) linkedFiles() []emit.File {
	files := l.result.Files
	if l.replacement != nil {
		files = l.replacement
	}
	if l.runsNothing || l.c.On("script") || l.c.On("replay") {
		return emit.WithoutProviders(l.result.Program.Package, files)
	}

	return files
}

// moduleBuild describes the build of a package main in the user's module. If main is "", the
// package main is generated into an overlay; it calls the user's function made, or New of the
// generated package if made is nil. The overlay also has the generated files that differ from those
// on the disk.
func (l *linking) moduleBuild(ctx context.Context, main string, made *gopkg.AppFunc) (goBuild, error) {
	over := overlay{}
	for _, f := range l.linkedFiles() {
		if !slices.ContainsFunc(l.result.Files, func(on emit.File) bool { return on.Name == f.Name && bytes.Equal(on.Content, f.Content) }) {
			over[filepath.Join(l.p.absolutePath(l.result.Program.Output), f.Name)] = f.Content
		}
	}
	if main == "" {
		folder, source, err := l.generateMain(ctx, made)
		if err != nil {
			return goBuild{}, err
		}
		main, over[filepath.Join(l.p.dir, filepath.FromSlash(folder), "main.go")] = folder, source
	}

	if l.panel && canImportPanel(l.p.dir) {
		over[filepath.Join(l.p.dir, main, panelFile)] = []byte(panelSource)
	}

	return goBuild{dir: l.p.dir, main: main, overlay: over}, nil
}
