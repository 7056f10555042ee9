package main

import (
	"reflect"
	"testing"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

func TestMachine(t *testing.T) {
	for _, n := range []int{3, 8, 64, 512} {
		m := newMachine(n, 7)
		if again := newMachine(n, 7); !reflect.DeepEqual(m, again) {
			t.Errorf("%d states: another machine from the same seed", n)
		}
		if len(m.States) != n {
			t.Fatalf("%d states, want %d", len(m.States), n)
		}
		for i, state := range m.States[:n-1] {
			seen, forward := map[string]bool{}, false
			for _, row := range state.Rows {
				if seen[row.Key] || row.To == i {
					t.Errorf("%d states: state %d has a second row %s, or one to itself", n, i, row.Key)
				}
				seen[row.Key] = true
				forward = forward || row.To == i+1
			}
			if len(state.Rows) < 2 || len(state.Rows) > 4 || !forward {
				t.Errorf("%d states: state %d has the rows %v", n, i, state.Rows)
			}
		}
		if len(m.States[n-1].Rows) != 0 {
			t.Errorf("%d states: the last one is not terminal", n)
		}
	}
	if reflect.DeepEqual(newMachine(8, 1), newMachine(8, 2)) {
		t.Error("two seeds give one machine")
	}
}

func TestWalk(t *testing.T) {
	m := newMachine(64, 7)
	task := contest.Task{Machine: m, Walk: newWalk(m, 10_000, 7)}
	path, err := task.Path()
	if err != nil {
		t.Fatal(err)
	}
	visited := map[int]bool{}
	for _, state := range path {
		visited[state] = true
	}
	if len(path) != 10_000 || visited[63] || len(visited) < 50 {
		t.Errorf("the walk has %d steps through %d of 64 states, terminal one %t", len(path), len(visited), visited[63])
	}
}
