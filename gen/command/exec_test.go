//go:build unix

package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// A child gets the signals that agentc gets, and agentc ends as the child does.
func TestChildGetsSignals(t *testing.T) {
	script := filepath.Join(t.TempDir(), "child")
	text := "#!/bin/sh\ntrap 'exit 4' TERM\necho \"$1 $NAME\"\nwhile :; do sleep 0.05; done\n"
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	var out, stderr bytes.Buffer
	stdout := &signalAfter{text: "arg value\n", then: func() { _ = syscall.Kill(os.Getpid(), syscall.SIGTERM) }, to: &out}
	c := &cli.Call{
		Env:     &cli.Env{Stdin: strings.NewReader(""), Stdout: stdout, Stderr: &stderr, Dir: t.TempDir(), Getenv: os.Getenv},
		Program: newProgram(),
	}
	if code := c.Report(runBinary(c, script, []string{"arg"}, append(os.Environ(), "NAME=value"))); code != cli.Paused {
		t.Errorf("exit code %d; stdout %q, stderr %q", code, out.String(), stderr.String())
	}
}

func TestAChildThatCannotStart(t *testing.T) {
	var stderr bytes.Buffer
	c := &cli.Call{
		Env:     &cli.Env{Stdin: strings.NewReader(""), Stdout: &stderr, Stderr: &stderr, Dir: t.TempDir(), Getenv: os.Getenv},
		Program: newProgram(),
	}
	if code := c.Report(runBinary(c, filepath.Join(t.TempDir(), "none"), nil, nil)); code != cli.Failure || stderr.Len() == 0 {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}
