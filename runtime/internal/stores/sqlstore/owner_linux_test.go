package sqlstore

import (
	"encoding/json"
	"os/exec"
	"testing"
	"time"
)

// An owner counts as dead only if it ran in the boot and the namespaces of this process and has ended.
func TestDeadOwners(t *testing.T) {
	here, err := thisProcess()
	if err != nil {
		t.Fatal(err)
	}
	const fence = 7
	for _, c := range []struct {
		name   string
		change func(o *owner)
		dead   bool
	}{
		{"this process", func(*owner) {}, false},
		{"a process that has ended", func(o *owner) { o.PID, o.Started = endedProcess(t), 1 }, true},
		{"a number that a later process has", func(o *owner) { o.Started-- }, true},
		{"another boot", func(o *owner) { o.Boot = "another"; o.Started-- }, false},
		{"another machine", func(o *owner) { o.Host = "another"; o.Started-- }, false},
		{"another container", func(o *owner) { o.Namespaces = "pid:[1] time:[2]"; o.Started-- }, false},
		{"an owner of an older version since", func(o *owner) { o.Fence++; o.Started-- }, false},
		{"a group of processes", func(o *owner) { o.PID = -endedProcess(t) }, false},
	} {
		o := owner{fence, here}
		c.change(&o)
		column, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		h := hold{fence: fence, expires: 1, owner: string(column)}
		if dead := h.hasDeadOwner(); dead != c.dead {
			t.Errorf("%s: dead is %v", c.name, dead)
		}
	}
	for _, column := range []string{"", "{", "null", `{"fence":7}`} {
		h := hold{fence: fence, expires: 1, owner: column}
		if h.hasDeadOwner() {
			t.Errorf("an owner %q is dead", column)
		}
	}
}

// endedProcess returns the number of a process that has ended.
func endedProcess(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}

	return cmd.Process.Pid
}

// A process that was killed has ended before its parent has learned of it.
func TestZombiesHaveEnded(t *testing.T) {
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	status, err := readStatus(cmd.Process.Pid)
	if err != nil || hasEnded(cmd.Process.Pid, status.started) {
		t.Errorf("a process at work is %+v, %v", status, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); !hasEnded(cmd.Process.Pid, status.started); time.Sleep(time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatal("a process that was killed has not ended")
		}
	}
	_ = cmd.Wait() // it was killed
}
