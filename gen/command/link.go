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

// linking is the way from a compiled project to a binary.
type linking struct {
	c      *cli.Call
	p      *project
	result *gen.Result
	// answered are the typed tools, the named guards and the functions of workflows for which a
	// script answers.
	answered answers
	// idle says that the binary is to run no agent: then nothing has to answer for them.
	idle bool
	// environ are the variables of the binary; nil for those of this process.
	environ []string
	// panel says that the binary draws runs on a terminal, whether or not the project includes
	// that.
	panel bool
	// saySlow says that the build takes long; nil: it is a message on stderr.
	saySlow func(text string)
	// other are the generated files that the binary is made of instead of those on the disk; nil
	// for these.
	other []emit.File
}

// target is the binary to make.
type target struct {
	// file is where the binary goes; "" is a place in the cache.
	file string
	// flags are further arguments of go build, env further variables.
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
		if own, err = l.prepareModule(ctx); err != nil {
			return "", err
		}
		if lacking := l.p.lackingParts(ctx, l.c, l.files()); len(lacking) > 0 {
			return "", l.c.Errorf(cli.Problem, "%s", strings.Join(lacking, "\n"))
		}
	case l.c.On("main"):
		return "", l.c.Usagef("--main: %s is in no Go module that requires agentc", l.c.Rel(l.p.dir))
	default:
		if pkg, _ := packageIn(l.p.dir); pkg == "main" {
			say(l.c, "the package main of %s is not used: the folder is in no Go module that requires %s",
				l.c.Rel(l.p.dir), gopkg.Agentc)
		}
	}
	var made *gopkg.AppFunc
	if own.Folder == "" && !l.idle {
		if made, err = l.chooseMain(own, inModule); err != nil {
			return "", err
		}
	}

	project := l.bareProject
	if inModule {
		project = func() (goBuild, error) { return l.inModule(ctx, own.Folder, made) }
	}
	b, err := project()
	if err == nil {
		if !inModule && t.file != "" {
			b.flags = append(b.flags, withoutHTTP2)
		}
		binary, err = l.build(ctx, t, b)
	}
	if err != nil {
		return "", l.explain(err)
	}
	hasUserGo := own.Folder != "" || made != nil
	if !hasUserGo || t.file != "" { // it cannot do anything else, or is not started now
		return binary, nil
	}
	err = l.identify(binary, l.describeProgram(own.Folder, made))
	var foreign *ForeignProgramError
	if errors.As(err, &foreign) {
		err = l.c.Errorf(cli.Problem, "%w", err)
	}

	return binary, err
}

// withoutHTTP2 leaves HTTP/2, a tenth of a binary with a model, out of binaries without Go of the
// user's: servers of models speak HTTP/1.1 too. agentc run links it, because the Go command has
// net/http compiled with it already.
const withoutHTTP2 = "-tags=nethttpomithttp2"

// prepareModule brings the output folder up to date and finds the program of the project.
func (l *linking) prepareModule(ctx context.Context) (own gopkg.Program, err error) {
	summary, err := l.p.write(l.c, l.result)
	if err != nil {
		return own, err
	}
	if summary.Changed() {
		fmt.Fprintf(l.c.Notes(), "%s: %s\n", l.p.label(l.c)(l.result.Program.Output), summary)
	}

	want := ""
	if l.c.On("main") {
		if want, err = filepath.Rel(l.p.dir, l.c.Path(l.c.Flag("main"))); err != nil {
			return own, err
		}
	}
	own, err = gopkg.FindProgram(ctx, l.p.dir, filepath.ToSlash(want),
		gopkg.AppType{Folder: l.result.Program.Output, Name: names.FixedNames(l.result.Program).App})
	var many *gopkg.ManyMainsError
	var no *gopkg.NotMainError
	switch {
	case errors.As(err, &many): // as they are to be written after --main
		for i, folder := range many.Folders {
			many.Folders[i] = l.p.label(l.c)(folder)
		}
		return own, l.c.Usagef("%v", err)
	case errors.As(err, &no):
		no.Folder = l.c.Flag("main")
		return own, l.c.Usagef("%v", err)
	case err != nil && isUntidy(err.Error()):
		return own, l.untidy()
	}

	return own, err
}

// isUntidy reports whether the go command, which printed output, refuses a module until go mod tidy
// is run.
func isUntidy(output string) bool {
	return strings.Contains(output, "updates to go.mod needed") || strings.Contains(output, "missing go.sum entry")
}

func (l *linking) untidy() error {
	return l.c.Errorf(cli.Problem, "go.mod and go.sum of the module of %s are not up to date; run there: go mod tidy", l.c.Rel(l.p.dir))
}

// files are the generated files that the binary is made of. One that is not going to ask a model is
// linked without what opens models, so that it needs neither the modules of providers nor a network
// to fetch them.
func (l *linking) files() []emit.File {
	files := l.result.Files
	if l.other != nil {
		files = l.other
	}
	if l.idle || l.c.On("script") || l.c.On("replay") {
		return emit.WithoutProviders(l.result.Program.Package, files)
	}

	return files
}

// inModule is how a package main of the user's module is built, or, if main is "", one in an
// overlay, which is made with a function of the user's, or of the generated package if made is nil.
// Files that the binary has in another form than the disk are in an overlay, too.
func (l *linking) inModule(ctx context.Context, main string, made *gopkg.AppFunc) (goBuild, error) {
	over := overlay{}
	for _, f := range l.files() {
		if !slices.ContainsFunc(l.result.Files, func(on emit.File) bool { return on.Name == f.Name && bytes.Equal(on.Content, f.Content) }) {
			over[filepath.Join(l.p.path(l.result.Program.Output), f.Name)] = f.Content
		}
	}
	if main == "" {
		folder, source, err := l.makeMain(ctx, made)
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
