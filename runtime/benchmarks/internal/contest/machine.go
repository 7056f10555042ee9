package contest

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Machine is a state machine as data. It starts in its first state.
type Machine struct {
	States []State
}

// State is a state; it is terminal if it has no rows.
type State struct {
	Name string
	Rows []Row
}

// Row leads to the state with index To.
type Row struct {
	Key string
	To  int
}

// Task is what a measuring program reads.
type Task struct {
	// Walk are keys for the machine, if that is what is measured.
	Machine Machine
	Walk    []string
	// Rounds is how many turns each contestant has, Runs how often it runs in one, and Steps how many steps a run takes.
	Rounds, Runs, Steps int
	// Prompts are what a model is told in the steps of a graph.
	Prompts []string
	// Addresses are those of databases, by the name of the contestant that uses one.
	Addresses map[string]string
}

// ReadTask reads a task from a JSON file. Equal keys of the walk share their bytes with each other, but with no constant
// of the program: a comparison that looks at addresses first has no advantage that it would not have in real life.
func ReadTask(file string) (Task, error) {
	var task Task
	text, err := os.ReadFile(file)
	if err != nil {
		return task, err
	}
	if err := json.Unmarshal(text, &task); err != nil {
		return task, fmt.Errorf("%s: %w", file, err)
	}

	known := make(map[string]string)
	for i, key := range task.Walk {
		if _, ok := known[key]; !ok {
			known[key] = strings.Clone(key)
		}
		task.Walk[i] = known[key]
	}

	return task, nil
}

// Path returns the indexes of the states that the walk enters, the first state not included.
func (t Task) Path() ([]int, error) {
	path := make([]int, len(t.Walk))
	state := 0
	for i, key := range t.Walk {
		next := -1
		for _, row := range t.Machine.States[state].Rows {
			if row.Key == key {
				next = row.To
			}
		}
		if next < 0 {
			return nil, fmt.Errorf("step %d: state %s has no row %q", i, t.Machine.States[state].Name, key)
		}
		path[i], state = next, next
	}

	return path, nil
}

// Table builds the nested map whose states count from one, as the constants of the other contestants do.
func Table[S ~uint8 | ~uint16](m Machine) map[S]map[string]S {
	table := make(map[S]map[string]S, len(m.States))
	for i, state := range m.States {
		rows := make(map[string]S, len(state.Rows))
		for _, row := range state.Rows {
			rows[row.Key] = S(row.To + 1)
		}
		table[S(i+1)] = rows
	}

	return table
}
