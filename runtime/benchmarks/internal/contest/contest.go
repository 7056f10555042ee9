package contest

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// Contestant does the same work as the others in its own way.
type Contestant struct {
	Name string
	// Run does the work once.
	Run func() error
	// Steps is how many steps Run takes.
	Steps int
}

// Repeat is a contestant that does something so many times, which takes so many steps each time.
func Repeat(name string, times, steps int, once func() error) Contestant {
	return Contestant{Name: name, Steps: times * steps, Run: func() error {
		for range times {
			if err := once(); err != nil {
				return err
			}
		}

		return nil
	}}
}

// Together works in so many goroutines at the same time, and returns the first error.
func Together(goroutines int, work func(goroutine int) error) error {
	var group errgroup.Group
	for i := range goroutines {
		group.Go(func() error { return work(i) })
	}

	return group.Wait()
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
// that none always runs in the wake of the same other one. Garbage of one contestant is collected before the next starts. The first
// error ends it: a contestant that failed may be unable to run again.
func Hold(rounds int, contestants ...Contestant) ([]Score, error) {
	scores := make([]Score, len(contestants))
	for i, c := range contestants {
		var err error
		allocs := testing.AllocsPerRun(1, func() {
			if err == nil {
				err = c.Run()
			}
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		scores[i] = Score{Name: c.Name, Steps: c.Steps, Allocs: allocs}
	}
	for round := range rounds {
		for i := range contestants {
			at := (round + i) % len(contestants)
			c := contestants[at]
			runtime.GC()
			start := time.Now()
			err := c.Run()
			took := time.Since(start)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
			scores[at].Step = append(scores[at].Step, float64(took.Nanoseconds())/float64(c.Steps))
		}
	}

	return scores, nil
}

// Check compares the states that a contestant went through with those of the data, and reports the first difference.
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

// Main is the main function of a measuring program: it reads the task that the program is called with, and prints the scores that
// measure returns for it as JSON.
func Main(measure func(Task) ([]Score, error)) {
	task, err := ReadTask(os.Args[1])
	var scores []Score
	if err == nil {
		scores, err = measure(task)
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(scores)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
