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

// goBuild is what go build builds.
type goBuild struct {
	// dir is the folder in which go build runs, main the package.
	dir, main string
	// gomod and gosum replace the files of the module; "" if those count.
	gomod, gosum string
	overlay      overlay
	flags, env   []string
	// runtime identifies agentc's runtime. Where it is set, everything that goes into the binary is known, and what was built from that
	// need not be built again; "" where only the go command knows.
	runtime string
}

// goBuild makes the binary file. The error is a *GoBuildError, or that of a go command that cannot be started.
func (l *linking) goBuild(ctx context.Context, b goBuild, file string) (err error) {
	dir, err := os.MkdirTemp("", "agentc-build-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	flags, err := b.overlay.flags(dir)
	if err != nil {
		return err
	}
	if b.gomod != "" {
		modfile := filepath.Join(dir, "go.mod")
		flags = append(flags, "-modfile", modfile)
		if err := errors.Join(os.WriteFile(modfile, []byte(b.gomod), 0o666), os.WriteFile(filepath.Join(dir, "go.sum"), []byte(b.gosum), 0o666)); err != nil {
			return err
		}
	}

	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-buildvcs=false"}, flags, b.flags, []string{"-o", file, b.main})...)
	cmd.Dir = b.dir
	cmd.Env = append(cmd.Environ(), b.env...) // with dir as PWD, so that the overlay is found in a folder behind a symbolic link, too
	if l.c.IsTerminal(l.c.Stderr) {
		fmt.Fprint(l.c.Notes(), "go build ...")
		defer fmt.Fprint(l.c.Notes(), "\r\x1b[K")
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &GoBuildError{Output: out}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return gopkg.ErrNoGo
	}

	return err
}

// explain reports why there is no binary.
func (l *linking) explain(err error) error {
	var build *GoBuildError
	if !errors.As(err, &build) {
		return err
	}
	if system, unknown := strings.CutPrefix(string(build.Output), "go: unsupported GOOS/GOARCH pair "); unknown {
		return l.c.Usagef("--target: Go builds nothing for %s; go tool dist list lists what it can", strings.TrimSpace(system))
	}
	if isUntidy(string(build.Output)) {
		return l.untidy()
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
