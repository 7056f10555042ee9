package command

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// TestAnalysesGrowLinearly: a workflow of ten times the states needs about ten times the memory.
func TestAnalysesGrowLinearly(t *testing.T) {
	const few, many, most = 100, 1000, 12
	short := unpack(t, t.TempDir(), lineOfStates(few))
	long := unpack(t, t.TempDir(), lineOfStates(many))
	for _, name := range []string{"check", "cost", "can", "simulate"} {
		objects, bytes := measureMemory(t, name, short)
		moreObjects, moreBytes := measureMemory(t, name, long)
		if moreObjects > most*objects || moreBytes > most*bytes {
			t.Errorf("%s of %d states: %d objects and %d bytes; of %d states: %d and %d",
				name, few, objects, bytes, many, moreObjects, moreBytes)
		}
	}
}

// lineOfStates returns a project with a machine of some states, each followed by the next.
func lineOfStates(n int) string {
	var states, rows strings.Builder
	for i := range n {
		fmt.Fprintf(&states, "      state-%d: {name: pass}\n", i)
		fmt.Fprintf(&rows, "      - {from: state-%d, on: success, to: state-%d}\n", i, i+1)
	}

	return "-- workflows/line.yaml --\nversion: \"0.1\"\nname: line\nsteps:\n  - kind: StateMachine\n    name: line\n" +
		fmt.Sprintf("    start_state: state-0\n    end_states: [state-%d]\n    states:\n%s    transitions:\n%s", n, &states, &rows)
}

// measureMemory returns what a command allocates for a project, after it has filled the caches.
func measureMemory(t *testing.T, name, dir string) (objects, bytes uint64) {
	t.Helper()
	var before, after runtime.MemStats
	for range 2 {
		runtime.ReadMemStats(&before)
		r := agentc(dir, "", name)
		runtime.ReadMemStats(&after)
		if r.code != cli.Done {
			t.Fatalf("exit code %d: %.1000s", r.code, r.stderr)
		}
	}

	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}
