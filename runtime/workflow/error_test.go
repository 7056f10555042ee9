package workflow_test

import (
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

func TestErrorsSayWhatIsWrong(t *testing.T) {
	value := &runtime.ValueError{Path: "a.b", Problem: "found 1, expected text"}
	const two = "different values; merge_strategy OVERWRITE or KEEP_FIRST says which one counts"
	for _, c := range []struct {
		err  error
		want string
	}{
		{&workflow.StepError{Workflow: "w", Step: "s", Tries: 1, Err: errFault}, `workflow "w", step "s": a fault`},
		{&workflow.StepError{Workflow: "w", Step: "s", Tries: 3, Err: errFault}, `workflow "w", step "s": a fault (3 tries)`},
		{
			&workflow.StateError{Workflow: "w", Machine: "m", State: "s", Err: errFault},
			`machine "m": state "s" failed, and no row says what follows: a fault`,
		},
		{
			&workflow.UnknownStateError{Machine: "m", State: "s", Name: "x", States: []string{"a", "b"}},
			`machine "m", state "s": there is no state "x" to go to; there are "a", "b"`,
		},
		{
			&workflow.UnknownStateError{Machine: "m", Name: "x", States: []string{"a"}},
			`machine "m": there is no state "x" to go to; there are "a"`,
		},
		{&workflow.LoopLimitError{Step: "l", Turns: 5}, `no exit within max_loops = 5 turns`},
		{
			&workflow.BranchKeyError{Step: "s", Key: "x", Branches: []string{"a", "b"}},
			`there is no branch "x"; there are "a", "b"`,
		},
		{
			&workflow.ConflictError{Step: "s", Path: []string{"x", "y"}, First: "a", Second: "b"},
			`branches "a" and "b" give context.x.y ` + two,
		},
		{&workflow.ContextError{Path: []string{"a"}, Err: value}, `context.a: a.b: found 1, expected text`},
		{&workflow.ContextError{Err: value}, `context: a.b: found 1, expected text`},
		{
			&workflow.ArgumentError{Function: "to_csv", Argument: "rows", Path: "[2]", Want: "an object", Got: "5"},
			`to_csv: rows[2]: found 5, expected an object`,
		},
		{
			&workflow.PathError{Path: []string{"a", "b.c", "d"}, At: 2, Found: workflow.KindList},
			`cannot set a."b.c".d: a."b.c" is a list, expected an object`,
		},
	} {
		if c.err.Error() != c.want {
			t.Errorf("got %s, expected %s", c.err, c.want)
		}
		if runtime.EndsRun(c.err) {
			t.Errorf("%s ends the run", c.want)
		}
	}

	for _, err := range []error{
		&workflow.StepError{Err: errFault}, &workflow.StateError{Err: errFault}, &workflow.ContextError{Err: errFault},
	} {
		if !errors.Is(err, errFault) {
			t.Errorf("%T hides its cause", err)
		}
	}
	for _, ending := range endings {
		if err := (&workflow.StepError{Err: ending}); !runtime.EndsRun(err) {
			t.Errorf("%T is hidden in a step", ending)
		}
	}
}

// TestErrorsHaveTheirTypeInEvents, those of this package and of package runtime.
func TestErrorsHaveTheirTypeInEvents(t *testing.T) {
	for want, err := range map[string]error{
		"UnknownStateError": &workflow.UnknownStateError{}, "LoopLimitError": &workflow.LoopLimitError{},
		"BranchKeyError": &workflow.BranchKeyError{},
		"ConflictError":  &workflow.ConflictError{}, "ContextError": &workflow.ContextError{Err: &runtime.ValueError{}},
		"PathError": &workflow.PathError{}, "StalledError": &workflow.StalledError{}, "ArgumentError": &workflow.ArgumentError{},
		"ValueError": &runtime.ValueError{}, "error": errFault,
	} {
		fx := &door{}
		r := start(t, fx, "{}")
		_ = r.WrapError("s", err)
		if len(fx.notes) != 1 || fx.notes[0].Type != want || fx.notes[0].Problem != err.Error() {
			t.Errorf("%s: told %+v", want, fx.notes)
		}
	}
}
