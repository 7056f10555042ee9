package output

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// endedProcess returns the id of a process that has ended.
func endedProcess(t *testing.T) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}

	return cmd.Process.Pid
}

// TestLeftovers finds the temporary files of runs that were killed: those go, with and without
// something to write, and all that only looks like them stays.
func TestLeftovers(t *testing.T) {
	dead := endedProcess(t)
	temporary := func(form string, pid, n int) string { return fmt.Sprintf("agents/"+form, pid, n) }
	gone := []string{
		temporary(".a_gen.go.%d-%d.tmp", dead, 1),
		temporary(".agentc_gen_test.go.%d-%d.tmp", dead, 12),
		temporary(".b_gen.go.%d-%d.tmp", os.Getpid(), math.MaxInt), // of an earlier process that had our id
	}
	stay := []string{
		temporary(".a_gen.go.%d-%d.tmp", os.Getppid(), 1), // go test is alive
		temporary("a_gen.go.%d-%d.tmp", dead, 1),
		temporary(".mine.go.%d-%d.tmp", dead, 1),
		temporary(".a_gen.go.%d-%d.tmp.orig", dead, 1),
		temporary(".a_gen.go.%d-%d.tmp/folder", dead, 2),
		temporary("inner/.a_gen.go.%d-%d.tmp", dead, 1),
		"agents/.a_gen.go.tmp",
		"agents/.a_gen.go.0-1.tmp",
		"agents/.a_gen.go.99999999999999999999-1.tmp",
	}
	for name, start := range map[string]func() map[string]string{"old files": before, "up to date": after} {
		files, want := start(), after()
		for _, name := range gone {
			files[name] = header + "pack"
		}
		for _, name := range stay {
			files[name], want[name] = "stays", "stays"
		}
		root, disk := project(t, files)
		link := filepath.Join(root, "agents", fmt.Sprintf(".link_gen.go.%d-1.tmp", dead))
		if err := os.Symlink("mine.go", link); err != nil {
			t.Logf("no symbolic links here: %v", err)
		} else {
			want["agents/"+filepath.Base(link)] = want["agents/mine.go"]
		}

		plan, err := Compare(disk, "agents", "agents", wanted)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plan.Apply(DiffSink(io.Discard, identity)); err != nil {
			t.Fatal(err)
		}
		if len(snapshot(t, root)) < len(files) {
			t.Errorf("%s: a diff removes files", name)
		}
		if _, err := plan.Apply(WriteSink(disk)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		equal(t, snapshot(t, root), want)
	}
}
