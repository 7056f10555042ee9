package contest

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"
)

// Contestant does the same work as the others in its own way.
type Contestant struct {
	Name string
	// Run does the work once.
	Run func()
	// Steps is how many steps Run takes.
	Steps int
}

// Score is what one contestant took.
type Score struct {
	Name string
	// Step are nanoseconds a step, one for each round.
	Step []float64
	// Allocs are allocations of one Run.
	Allocs float64
	// Steps is how many steps a Run takes.
	Steps int
}

// Hold lets the contestants take turns for the given number of rounds. The one that starts changes from round to round, so
// that none always runs in the wake of the same other one. Garbage of one contestant is collected before the next starts.
func Hold(rounds int, contestants []Contestant) []Score {
	scores := make([]Score, len(contestants))
	for i, c := range contestants {
		scores[i] = Score{Name: c.Name, Steps: c.Steps, Allocs: testing.AllocsPerRun(1, c.Run)}
	}
	for round := range rounds {
		for i := range contestants {
			at := (round + i) % len(contestants)
			c := contestants[at]
			runtime.GC()
			start := time.Now()
			c.Run()
			took := time.Since(start)
			scores[at].Step = append(scores[at].Step, float64(took.Nanoseconds())/float64(c.Steps))
		}
	}

	return scores
}

// Check compares the states that a contestant went through with those of the data, and tells the first difference.
// next takes one step and returns the name of the state that it leads to.
func Check(task Task, name string, next func(key string) (string, bool)) error {
	path, err := task.Path()
	if err != nil {
		return err
	}
	for i, key := range task.Walk {
		got, ok := next(key)
		if want := task.Machine.States[path[i]].Name; !ok || got != want {
			return fmt.Errorf("%s: step %d, key %q: went to %q (%t), want %q", name, i, key, got, ok, want)
		}
	}

	return nil
}

// Write writes scores as JSON.
func Write(w io.Writer, scores []Score) error { return json.NewEncoder(w).Encode(scores) }
