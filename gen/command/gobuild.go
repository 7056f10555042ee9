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

// goBuild is what go build builds.
type goBuild struct {
	// dir is the folder in which go build runs, main the package.
	dir, main string
	// gomod and gosum replace the files of the module; "" if those count.
	gomod, gosum string
	overlay      overlay
	flags, env   []string
	// runtime identifies agentc's runtime. Where it is set, everything that goes into the binary is
	// known, and what was built from that need not be built again; "" where only the go command
	// knows.
	runtime string
}

// goBuild makes the binary file. The error is a *GoBuildError, or that of a go command that cannot
// be started.
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
	out, err := l.waitFor(cmd.CombinedOutput)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &GoBuildError{Output: out}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return gopkg.ErrNoGo
	}

	return err
}

// longBuild is how long a build takes before it is said that one is under way; tests shorten it.
var longBuild = 2 * time.Second

// building is what is said of a build that takes long. The go command compiles the standard library
// and all modules once.
const building = "building ... (the first build of a project can take minutes)"

// waitFor returns what a build returns. If that takes long, it says so.
func (l *linking) waitFor(build func() ([]byte, error)) (out []byte, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		out, err = build()
	}()
	select {
	case <-done:
		return out, err
	case <-time.After(longBuild):
	}
	if l.saySlow != nil {
		l.saySlow(building)
	} else {
		fmt.Fprintln(l.c.Notes(), building)
	}
	<-done

	return out, err
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
