package workflow_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

func TestErrorsOfMachinesCanBeToldApart(t *testing.T) {
	r := start(t, &door{}, "{}")
	m := machine{name: "orchestrate", max: 9, steps: steps{draft: breaks}}
	_, err := m.run(&r, workflow.Value{})
	var step *workflow.StepError
	if err == nil || !strings.HasPrefix(err.Error(), `machine "orchestrate": state "draft" failed`) ||
		!errors.As(err, &step) || step.Workflow != "flow" || !errors.Is(err, errFault) {
		t.Errorf("got %#v", err)
	}

	m.steps[draft] = heads("nowhere", "x")
	_, err = m.run(&r, workflow.Value{})
	const unknown = "UnknownStateError"
	if runtime.ErrorType(err) != unknown || !strings.Contains(err.Error(), `state "draft": there is no state "nowhere"`) ||
		strings.Count(err.Error(), ", ") != 5 {
		t.Errorf("got %#v", err)
	}
	if outer := r.WrapError("machine", err); runtime.EndsRun(outer) || runtime.ErrorType(outer) != unknown {
		t.Errorf("a machine that fails is a step that fails: %v", outer)
	}
}

// TestCancellationIsNoFailure, whatever its cause is.
func TestCancellationIsNoFailure(t *testing.T) {
	fx := &door{}
	r := start(t, fx, "{}")
	cause := errors.New("shut down")
	m := machine{
		name: "orchestrate", max: 9, rows: []row{{0, workflow.Failure, failed, nil}},
		steps: steps{draft: func(r *workflow.Run, _ workflow.Value) (workflow.Value, error) {
			fx.cancelled = cause

			return workflow.Value{}, r.WrapError("s", cause)
		}},
	}
	if _, err := m.run(&r, workflow.Value{}); err != cause {
		t.Errorf("got %v", err)
	}
}

func TestEventsOfAMachine(t *testing.T) {
	fx := &door{}
	r := start(t, fx, "{}")
	m := machine{
		name: "orchestrate", max: 9, steps: steps{draft: says("x"), review: heads("draft", "y"), publish: breaks},
		rows: []row{
			{draft, workflow.Success, publish, func(r *workflow.Run) bool { return r.Context("seen").True() }},
			{draft, workflow.Success, review, nil}, {0, workflow.Failure, failed, nil},
		},
	}
	inner := m.steps[review]
	m.steps[review] = func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
		if err := r.SetContext(workflow.Of(true), "seen"); err != nil {
			return workflow.Value{}, err
		}

		return inner(r, input)
	}
	if _, err := r.FinishMachine(m.run(&r, workflow.Text("task"))); err != nil {
		t.Fatal(err)
	}
	wantTold(t, fx,
		"enter flow orchestrate draft #1",
		"step flow say x",
		"transition flow orchestrate draft success exact review #1",
		"enter flow orchestrate review #1",
		"step flow say y",
		"transition flow orchestrate review success next-state draft #1",
		"enter flow orchestrate draft #2",
		"step flow say x",
		"transition flow orchestrate draft success exact publish #2",
		"enter flow orchestrate publish #1",
		"error flow error a fault",
		"transition flow orchestrate publish failure catch-all failed #1",
		"finish flow failed",
	)
}

// TestMachinesInMachines: each has its own current_state and next_state, and the outer one goes on
// where it was.
func TestMachinesInMachines(t *testing.T) {
	var seen []string
	note := func(r *workflow.Run) {
		seen = append(seen, fmt.Sprintf("%s>%s", r.CurrentState(), r.NextState()))
	}
	inner := machine{name: "inner", max: 9, steps: steps{
		draft: func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
			note(r)

			return heads("done", "inside")(r, input)
		},
	}}
	outer := machine{name: "outer", max: 9, steps: steps{
		draft: heads("publish", "x"),
		publish: func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
			if _, err := heads("review", "y")(r, input); err != nil {
				return workflow.Value{}, err
			}
			note(r)
			v, err := inner.run(r, input)
			note(r)

			return v, err
		},
		review: says("z"),
	}, rows: []row{{review, workflow.Success, done, nil}}}
	r := start(t, &door{}, "{}")
	fin, err := r.FinishMachine(outer.run(&r, workflow.Text("task")))
	if err != nil || fin.Value != "z" || fin.Key != "done" {
		t.Errorf("got %+v, %v", fin, err)
	}
	if got := strings.Join(seen, " "); got != "publish>review draft> publish>review" {
		t.Errorf("seen: %s", got)
	}
	if r.CurrentState().String() != "done" || r.NextState().String() != "done" {
		t.Errorf("behind the machine: %s, %s", r.CurrentState(), r.NextState())
	}

	// The key is the end state of the machine that ran last.
	r = start(t, &door{}, "{}")
	outer.steps[review] = nil
	outer.rows = []row{{publish, workflow.Success, failed, nil}}
	if fin, err := r.FinishMachine(outer.run(&r, workflow.Text("task"))); err != nil || fin.Key != "failed" || fin.Value != "inside" {
		t.Errorf("got %+v, %v", fin, err)
	}
}

// TestMachinesTakeLittleMemory: without an observer a hop takes none beyond what its steps take.
func TestMachinesTakeLittleMemory(t *testing.T) {
	fx := &door{unwatched: true}
	r := start(t, fx, "{}")
	input := workflow.Text("task")
	rows := []row{{draft, workflow.Success, review, nil}, {review, workflow.Success, draft, nil}}
	long := machine{name: "orchestrate", max: 1000, rows: rows}
	allocs := testing.AllocsPerRun(10, func() {
		if _, err := long.run(&r, input); err == nil {
			t.Error("a machine without an end came to it")
		}
	})
	if allocs > 10 {
		t.Errorf("%.0f allocations in 1000 hops", allocs)
	}
}
