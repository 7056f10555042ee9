package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// linking is the way from a compiled project to a binary.
type linking struct {
	c      *cli.Call
	p      *project
	result *gen.Result
	// answered are the typed tools, the named guards and the functions of workflows for which a script answers.
	answered answers
	// idle says that the binary is to run no agent: then nothing has to answer for them.
	idle bool
	// environ are the variables of the binary; nil for those of this process.
	environ []string
	// panel says that the binary draws runs on a terminal, whether or not the project includes that.
	panel bool
	// other are the generated files that the binary is made of instead of those on the disk; nil for these.
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
	if own.Folder == "" && !l.idle {
		isWhole := l.allAnswered()
		l.explainServices(own.Services, isWhole)
		if inModule && !isWhole {
			say(l.c, "no package main of the module imports %s and calls app.Main; --main FOLDER names one",
				l.p.label(l.c)(l.result.Program.Output))
		}
		if !isWhole {
			return "", l.c.Exit(cli.Problem)
		}
	}

	project := l.bareProject
	if inModule {
		project = func() (goBuild, error) { return l.inModule(ctx, own.Folder) }
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
	if own.Folder == "" || t.file != "" { // it is agentc's, or is not started now
		return binary, nil
	}
	err = l.identify(binary, own.Folder)
	var foreign *ForeignProgramError
	if errors.As(err, &foreign) {
		err = l.c.Errorf(cli.Problem, "%w", err)
	}

	return binary, err
}

// explainServices says which programs of the user are not the project's, and whether agentc makes one instead.
func (l *linking) explainServices(folders []string, isMade bool) {
	for _, folder := range folders {
		text := fmt.Sprintf("the package main of %s is not an agent program: its main does not call app.Main", l.p.label(l.c)(folder))
		if isMade {
			fmt.Fprintln(l.c.Notes(), text+"; agentc makes one beside it")
		} else {
			say(l.c, "%s", text)
		}
	}
}

// withoutHTTP2 leaves HTTP/2, a tenth of a binary with a model, out of binaries without Go of the user's: servers of models
// speak HTTP/1.1 too. agentc run links it, because the Go command has net/http compiled with it already.
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
	own, err = gopkg.FindProgram(ctx, l.p.dir, filepath.ToSlash(want), l.result.Program.Output)
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

// isUntidy reports whether the go command, which printed output, refuses a module until go mod tidy is run.
func isUntidy(output string) bool {
	return strings.Contains(output, "updates to go.mod needed") || strings.Contains(output, "missing go.sum entry")
}

func (l *linking) untidy() error {
	return l.c.Errorf(cli.Problem, "go.mod and go.sum of the module of %s are not up to date; run there: go mod tidy", l.c.Rel(l.p.dir))
}

// files are the generated files that the binary is made of. One that is not going to ask a model is linked without what opens models, so
// that it needs neither the modules of providers nor a network to fetch them.
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

// inModule is how a package main of the user's module is built, or, if main is "", one in an overlay. Files that the binary has in
// another form than the disk are in an overlay, too.
func (l *linking) inModule(ctx context.Context, main string) (goBuild, error) {
	over := overlay{}
	for _, f := range l.files() {
		if !slices.ContainsFunc(l.result.Files, func(on emit.File) bool { return on.Name == f.Name && bytes.Equal(on.Content, f.Content) }) {
			over[filepath.Join(l.p.path(l.result.Program.Output), f.Name)] = f.Content
		}
	}
	if main == "" {
		const folder = "agentc-main" // in the project: only the overlay has it
		generated, err := gopkg.ImportPath(ctx, l.p.dir, l.result.Program.Output)
		if err != nil {
			return goBuild{}, err
		}
		source, err := mainSource(l.result.Program, generated)
		if err != nil {
			return goBuild{}, err
		}
		main, over[filepath.Join(l.p.dir, folder, "main.go")] = "./"+folder, source
	}

	if l.panel && canImportPanel(l.p.dir) {
		over[filepath.Join(l.p.dir, main, panelFile)] = []byte(panelSource)
	}

	return goBuild{dir: l.p.dir, main: main, overlay: over}, nil
}

// mainSource is the package main of a project that has none: generated is the import path of its generated package. Typed
// tools, guards and functions are never called in it, since a script answers for all of them.
func mainSource(p *ir.Program, generated string) ([]byte, error) {
	arguments := argumentsOfNew(p, func(iface string) string { return "struct{ generated." + iface + " }{}" })

	return format.Source(fmt.Appendf(nil, "package main\n\nimport (\n\t%q\n\n\tgenerated %q\n)\n\n"+
		"func main() { app.Main(generated.New(%s)) }\n", gopkg.Agentc+"/runtime/app", generated, arguments))
}

// argumentsOfNew are what New of the generated package takes, each as value writes one that implements an interface: Tools, if
// there are typed tools, Guards, if rows ask named guards, and Funcs, if workflows call functions.
func argumentsOfNew(p *ir.Program, value func(iface string) string) string {
	return strings.Join(ir.Map(emit.Interfaces(p), func(iface emit.Interface) string { return value(iface.Name) }), ", ")
}
