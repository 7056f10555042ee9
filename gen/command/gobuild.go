package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// GoBuildError is what go build says about Go that does not compile.
type GoBuildError struct {
	// Output is go build's own, unchanged.
	Output []byte
}

func (e *GoBuildError) Error() string { return "go build failed:\n" + string(e.Output) }

// goBuild runs go build in dir. The error is a *GoBuildError, or that of a go command that cannot be started.
func (l *linking) goBuild(ctx context.Context, dir string, env []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"build"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out

	if cli.Terminal(l.c.Stderr) {
		fmt.Fprint(l.c.Stderr, "go build ...")
		defer fmt.Fprint(l.c.Stderr, "\r\x1b[K")
	}
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &GoBuildError{Output: out.Bytes()}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("the go command is needed to make a binary, and is not in PATH: https://go.dev/dl")
	}

	return err
}

// explain tells why there is no binary and returns the exit code. If package main (a folder, "" without one) hands a value
// to New that lacks methods, that comes first.
func (l *linking) explain(ctx context.Context, main string, err error) int {
	var build *GoBuildError
	if !errors.As(err, &build) {
		return l.c.Errorf(cli.Failure, "%v", err)
	}
	if system, unknown := strings.CutPrefix(string(build.Output), "go: unsupported GOOS/GOARCH pair "); unknown {
		return l.c.Usagef("--target: Go builds nothing for %s; go tool dist list lists what it can", strings.TrimSpace(system))
	}
	l.explainParts(ctx, build.Output)
	if main != "" && l.explainMissing(ctx, main) {
		build.Output = withoutMissing(build.Output)
	}
	if bytes.Contains(build.Output, []byte("function main is undeclared")) {
		l.c.Errorf(cli.Problem, "package main has no function main; what it needs: func main() { app.Main(%s) }", newCall(l.result.Program))
	}
	_, _ = l.c.Stderr.Write(build.Output)

	return cli.Problem
}

// newCall is how a person's Go makes the program.
func newCall(p *ir.Program) string {
	return fmt.Sprintf("%s.New(%s)", p.Package, argumentsOfNew(p, func(iface string) string { return strings.ToLower(iface) + "{}" }))
}

// missingMethod is how the Go compiler ends a line about a value that lacks a method of an interface.
var missingMethod = []byte("(missing method ")

// withoutMissing returns what go build says without the lines about missing methods, which were reported with their signatures. What
// then has nothing but names of packages is empty.
func withoutMissing(output []byte) []byte {
	var kept []byte
	said := false
	for line := range bytes.Lines(output) {
		if bytes.Contains(line, missingMethod) {
			continue
		}
		kept = append(kept, line...)
		said = said || !bytes.HasPrefix(line, []byte("# "))
	}
	if !said {
		return nil
	}

	return kept
}

// explainMissing reports the methods that the values handed to New lack, and whether there are any.
func (l *linking) explainMissing(ctx context.Context, main string) bool {
	generated, err := gopkg.ImportPath(ctx, l.p.dir, l.result.Program.Output)
	if err != nil {
		return false // go build says what is wrong
	}
	findings, err := gopkg.Missing(ctx, l.p.dir, main, generated)
	if err != nil {
		return false
	}
	var list diag.List
	list.Add(findings...)
	l.p.report(l.c, list.Sorted())

	return len(findings) > 0
}
