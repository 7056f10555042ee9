//go:build linux || darwin

package serve_test

import (
	"bufio"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// A crash of the Go runtime does not look like a wrong command line, after which the shipped unit of systemd starts nothing again.
func TestACrashIsASignal(t *testing.T) {
	dir := t.TempDir()
	cmd := commandOf(t, "--store", dir+"/runs", "--max-recoveries", "0")
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != cli.Usage {
		t.Errorf("a wrong command line: %v", err)
	}

	cmd = commandOf(t, "--store", dir+"/runs", "--script", writeJSON(t, dir, `{}`), "--partial")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	lines.Scan()
	_, at, _ := strings.Cut(lines.Text(), "serving runs at ")
	p := &process{visitor: &visitor{T: t, url: at}, cmd: cmd}
	p.try("POST", "/runs", args{"run": "poison", "agent": "poison", "input": "x"})
	text := ""
	for lines.Scan() {
		text += lines.Text() + "\n"
	}
	_, _ = io.Copy(io.Discard, stderr)
	_ = cmd.Wait()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() || status.Signal() != syscall.SIGABRT || status.CoreDump() {
		t.Errorf("the crash ends with %v", cmd.ProcessState)
	}
	if !strings.Contains(text, "panic: poison") || !strings.Contains(text, `msg="run started" run=poison agent=poison`) {
		t.Errorf("stderr says %s", text)
	}
}

// writeJSON answers with a value as JSON.
func writeJSON(t *testing.T, dir, text string) (path string) {
	t.Helper()
	path = dir + "/script.json"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}

	return path
}
