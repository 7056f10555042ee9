package contest

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func door() Task {
	return Task{
		Machine: Machine{States: []State{
			{Name: "closed", Rows: []Row{{"open", 1}, {"lock", 2}}},
			{Name: "opened", Rows: []Row{{"close", 0}}},
			{Name: "locked", Rows: []Row{{"unlock", 0}}},
		}},
		Walk: []string{"open", "close", "lock"},
	}
}

func TestLibrariesWalk(t *testing.T) {
	task := door()
	for name, walk := range map[string]func([]string) (string, error){
		"looplab": Looplab(task.Machine), "stateless": Stateless(task.Machine),
	} {
		for range 2 { // a walk starts at the first state each time
			if got, err := walk(task.Walk); err != nil || got != "locked" {
				t.Errorf("%s ends in %q: %v", name, got, err)
			}
		}
		if _, err := walk([]string{"close"}); err == nil {
			t.Errorf("%s takes a row that is not there", name)
		}
	}
}

func TestCheckFindsAWrongTurn(t *testing.T) {
	task := door()
	walkTo := func(states ...string) func(string) (string, bool) {
		return func(string) (string, bool) {
			state := states[0]
			states = states[1:]

			return state, true
		}
	}
	if err := Check(task, "right", walkTo("opened", "closed", "locked")); err != nil {
		t.Error(err)
	}
	if err := Check(task, "wrong", walkTo("opened", "locked", "locked")); err == nil || !strings.Contains(err.Error(), "step 1") {
		t.Errorf("a wrong turn at step 1 is reported as %v", err)
	}
}

func TestTable(t *testing.T) {
	task := door()
	table := Table[uint8](task.Machine)
	state := uint8(1)
	err := Check(task, "map", func(key string) (string, bool) {
		next, ok := table[state][key]
		state = next

		return task.Machine.States[next-1].Name, ok
	})
	if err != nil {
		t.Error(err)
	}
	if _, ok := table[1]["close"]; ok {
		t.Error("the table has a row that is not there")
	}
}

func TestReadTask(t *testing.T) {
	file := filepath.Join(t.TempDir(), "task.json")
	text, err := json.Marshal(door())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	task, err := ReadTask(file)
	if err != nil {
		t.Fatal(err)
	}
	if path, err := task.Path(); err != nil || len(path) != 3 || path[2] != 2 {
		t.Errorf("the path is %v: %v", path, err)
	}
}

var sink []byte

func TestHold(t *testing.T) {
	var order strings.Builder
	contestants := []Contestant{
		{Name: "a", Steps: 2, Run: func() error {
			order.WriteString("a")
			sink = make([]byte, 100)

			return nil
		}},
		{Name: "b", Steps: 1, Run: func() error {
			order.WriteString("b")

			return nil
		}},
	}
	order.Grow(100)
	scores, err := Hold(3, contestants...)
	if err != nil {
		t.Error(err)
	}
	// AllocsPerRun runs each twice; then they take turns, and who starts changes.
	if got := order.String(); got != "aabb"+"ab"+"ba"+"ab" {
		t.Errorf("the order is %s", got)
	}
	if len(scores[0].Step) != 3 || scores[0].Allocs != 1 || scores[1].Allocs != 0 {
		t.Errorf("the scores are %+v", scores)
	}
}

// TestHoldEndsWithAnError: no contestant runs after one that failed, whether allocations are counted or time.
func TestHoldEndsWithAnError(t *testing.T) {
	for _, failing := range []int{1, 2, 3} { // the first two count allocations
		runs, failed := 0, errors.New("cannot run")
		c := Contestant{Name: "a", Steps: 1, Run: func() error {
			runs++
			if runs == failing {
				return failed
			}

			return nil
		}}
		scores, err := Hold(3, c)
		if !errors.Is(err, failed) || scores != nil || runs != failing {
			t.Errorf("run %d fails: %v, %v after %d runs", failing, scores, err, runs)
		}
	}
}
