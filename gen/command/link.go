package command

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/gen"
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
	// failed says that the binary could not be built.
	failed bool
}

// target is the binary to make.
type target struct {
	// file is where the binary goes; "" is a place in the cache.
	file string
	// flags are further arguments of go build, env further variables.
	flags, env []string
}

// link makes the binary and returns its path. ok is false if that failed; the person then knows why, and code is the
// exit code.
func (l *linking) link(t target) (binary string, code int, ok bool) {
	ctx := context.Background()
	inModule, err := gopkg.UsesAgentc(ctx, l.p.dir)
	if err != nil {
		return "", l.c.Errorf(cli.Failure, "%v", err), false
	}
	main := ""
	if inModule {
		if main, code, ok = l.prepareModule(ctx); !ok {
			return "", code, false
		}
	} else if l.c.On("main") {
		return "", l.c.Usagef("--main: %s is in no Go module that requires agentc", l.c.Rel(l.p.dir)), false
	}
	if !inModule && l.hasMain() {
		fmt.Fprintf(l.c.Stderr, "the package main of %s is not used: the folder is in no Go module that requires %s\n",
			l.c.Rel(l.p.dir), gopkg.Agentc)
	}
	if main == "" && !l.idle && !l.allAnswered() {
		if inModule {
			fmt.Fprintf(l.c.Stderr, "no package main of the module imports %s; --main FOLDER names one\n", l.p.label(l.c)(l.result.Program.Output))
		}
		return "", cli.Problem, false
	}

	if inModule {
		binary, err = l.linkModule(ctx, t, main)
	} else {
		binary, err = l.linkBare(ctx, t)
	}
	if err != nil {
		return "", l.explain(ctx, main, err), false
	}

	return binary, cli.Done, true
}

// hasMain reports whether Go of package main stands in the project folder.
func (l *linking) hasMain() bool {
	entries, err := os.ReadDir(l.p.dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(l.p.dir, e.Name()), nil, parser.PackageClauseOnly)
		if err == nil && file.Name.Name == "main" {
			return true
		}
	}

	return false
}

// prepareModule brings the output folder up to date and finds the user's package main; "" if there is none.
func (l *linking) prepareModule(ctx context.Context) (main string, code int, ok bool) {
	summary, code, ok := l.p.write(l.c, l.result)
	if !ok {
		return "", code, false
	}
	if summary.Changed() {
		fmt.Fprintf(l.c.Stderr, "%s: %s\n", l.p.label(l.c)(l.result.Program.Output), summary)
	}

	want, err := l.wantedMain()
	if err == nil {
		main, err = gopkg.Main(ctx, l.p.dir, want, l.result.Program.Output)
	}
	var many *gopkg.ManyMainsError
	var no *gopkg.NotMainError
	switch {
	case errors.As(err, &many): // as they are to be written after --main
		for i, folder := range many.Folders {
			many.Folders[i] = l.p.label(l.c)(folder)
		}
		return "", l.c.Usagef("%v", err), false
	case errors.As(err, &no):
		no.Folder = l.c.Flag("main")
		return "", l.c.Usagef("%v", err), false
	case err != nil && isUntidy(err):
		return "", l.c.Errorf(cli.Problem, "go.mod and go.sum of the module of %s are not up to date; run there: go mod tidy", l.c.Rel(l.p.dir)), false
	case err != nil:
		return "", l.c.Errorf(cli.Failure, "%v", err), false
	}

	return main, cli.Done, true
}

// isUntidy reports whether the go command refuses a module until go mod tidy is run.
func isUntidy(err error) bool {
	return strings.Contains(err.Error(), "updates to go.mod needed") || strings.Contains(err.Error(), "missing go.sum entry")
}

// wantedMain is the folder that --main names, relative to the project; "" without the flag.
func (l *linking) wantedMain() (string, error) {
	if !l.c.On("main") {
		return "", nil
	}
	folder, err := filepath.Rel(l.p.dir, l.c.Path(l.c.Flag("main")))

	return filepath.ToSlash(folder), err
}

// mainSource is the package main of a project that has none: generated is the import path of its generated package. Typed
// tools, guards and functions are never called in it, since a script answers for all of them.
func mainSource(p *ir.Program, generated string) ([]byte, error) {
	arguments := argumentsOfNew(p, func(iface string) string { return "struct{ generated." + iface + " }{}" })

	return format.Source([]byte(fmt.Sprintf("package main\n\nimport (\n\t%q\n\n\tgenerated %q\n)\n\n"+
		"func main() { app.Main(generated.New(%s)) }\n", gopkg.Agentc+"/runtime/app", generated, arguments)))
}

// argumentsOfNew are what New of the generated package takes, each as value writes one that implements an interface: Tools, if
// there are typed tools, Guards, if rows ask named guards, and Funcs, if workflows call functions.
func argumentsOfNew(p *ir.Program, value func(iface string) string) string {
	var arguments []string
	if len(p.Tools) > 0 {
		arguments = append(arguments, value("Tools"))
	}
	if len(p.Guards) > 0 {
		arguments = append(arguments, value("Guards"))
	}
	if len(p.Funcs) > 0 {
		arguments = append(arguments, value("Funcs"))
	}

	return strings.Join(arguments, ", ")
}
