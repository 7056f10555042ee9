package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// GoBuildError means that go build failed because the Go code does not compile.
type GoBuildError struct {
	// Output is the unchanged output of go build.
	Output []byte
}

func (e *GoBuildError) Error() string { return "go build failed:\n" + string(e.Output) }

// goBuild describes a run of go build.
type goBuild struct {
	// dir is the folder in which go build runs, main the package to build.
	dir, main string
	// gomod and gosum replace the files of the module; "" keeps them.
	gomod, gosum string
	overlay      overlay
	flags, env   []string
	// runtime identifies agentc's runtime. If it is set, it and the other fields identify all
	// inputs of the binary, so that an existing binary can be reused. It is "" if only the go
	// command knows the inputs.
	runtime string
}

// runGoBuild builds the binary file. The error is a *GoBuildError if the code does not compile.
func (l *linking) runGoBuild(ctx context.Context, b goBuild, file string) (err error) {
	dir, err := os.MkdirTemp("", "agentc-build-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	flags, err := b.overlay.writeFlags(dir)
	if err != nil {
		return err
	}
	if b.gomod != "" {
		modfile := filepath.Join(dir, "go.mod")
		flags = append(flags, "-modfile", modfile)
		err = errors.Join(os.WriteFile(modfile, []byte(b.gomod), 0o666), os.WriteFile(filepath.Join(dir, "go.sum"), []byte(b.gosum), 0o666))
		if err != nil {
			return err
		}
	}

	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-buildvcs=false"}, flags, b.flags, []string{"-o", file, b.main})...)
	cmd.Dir = b.dir
	cmd.Env = append(cmd.Environ(), b.env...) // dir is the PWD, so that the overlay is found in a folder behind a symbolic link
	out, err := l.waitForBuild(cmd.CombinedOutput)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &GoBuildError{Output: out}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return gopkg.ErrNoGo
	}

	return err
}

// slowBuildDelay is the time after which a build is reported as slow; tests shorten it.
var slowBuildDelay = 2 * time.Second

// slowBuildMessage explains a slow build: the go command compiles the standard library and all
// modules once.
const slowBuildMessage = "building ... (the first build of a project can take minutes)"

// waitForBuild runs a build, and reports it if it is slow.
func (l *linking) waitForBuild(build func() ([]byte, error)) (out []byte, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		out, err = build()
	}()
	select {
	case <-done:
		return out, err
	case <-time.After(slowBuildDelay):
	}
	if l.reportSlow != nil {
		l.reportSlow(slowBuildMessage)
	} else {
		fmt.Fprintln(l.c.Notes(), slowBuildMessage)
	}
	<-done

	return out, err
}

// explainBuildError turns an error of a build into one for the user, and prints what helps to
// repair it.
func (l *linking) explainBuildError(err error) error {
	var build *GoBuildError
	if !errors.As(err, &build) {
		return err
	}
	if system, unknown := strings.CutPrefix(string(build.Output), "go: unsupported GOOS/GOARCH pair "); unknown {
		return l.c.Usagef("--target: Go builds nothing for %s; go tool dist list lists what it can", strings.TrimSpace(system))
	}
	if isUntidy(string(build.Output)) {
		return l.untidyError()
	}
	l.explainProviders(build.Output)
	_, _ = l.c.Stderr.Write(build.Output)
	for _, iface := range emit.Interfaces(l.result.Program) {
		if bytes.Contains(build.Output, []byte("does not implement "+l.result.Program.Package+"."+iface.Name+" (")) {
			l.c.Sayf("what implements %s.%s has these methods:", l.result.Program.Package, iface.Name)
			for _, m := range iface.Methods {
				fmt.Fprintf(l.c.Stderr, "  func (%s) %s\n", iface.Field, m.Signature)
			}
		}
	}

	return l.c.Exit(cli.Problem)
}
