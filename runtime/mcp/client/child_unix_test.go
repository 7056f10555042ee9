//go:build unix

package client_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/mcp/client"
)

// leaveChild starts a process that outlives its server, if it can.
func leaveChild() error {
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		return err
	}

	return fmt.Errorf("child %d", cmd.Process.Pid)
}

// gone waits until a process is; the test's own time ends a wait in vain.
func gone(pid int) {
	for {
		state, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
		if err != nil && syscall.Kill(pid, 0) != nil || strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// When the last run has ended nothing is left of the server, and of what it has started.
func TestNothingIsLeft(t *testing.T) {
	s := pinned(t, own(t, "good"))
	runner, closing, err := client.Part{Servers: []client.Server{s}}.OpenTools(t.Context(), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	var child, server int
	result, _, err := runner.Run(t.Context(), called(s, "child", "{}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(result.Problem, "child %d", &child); err != nil {
		t.Fatalf("%+v", result)
	}
	result, _, err = runner.Run(t.Context(), called(s, "process", "{}"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(result.Text, &server); err != nil {
		t.Fatalf("%+v", result)
	}
	if err := closing(); err != nil {
		t.Error(err)
	}
	gone(child)
	gone(server)
}
