package workflow_test

import (
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

func TestErrorsSayWhatIsWrong(t *testing.T) {
	var r workflow.Run
	value := &runtime.ValueError{Path: "a.b", Problem: "found 1, expected text"}
	const two = "different values; choose one with merge_strategy OVERWRITE or KEEP_FIRST, or combine them with merge in the schema of the context"
	for _, c := range []struct {
		err  error
		want string
	}{
		{&workflow.StepError{Workflow: "w", Step: "s", Tries: 1, Err: errFault}, `workflow "w", step "s": a fault`},
		{&workflow.StepError{Workflow: "w", Step: "s", Tries: 3, Err: errFault}, `workflow "w", step "s": a fault (3 tries)`},
		{
			workflow.StateFailed("m", "s", nil, errFault),
			`machine "m": state "s" failed, and no row handles the failure: a fault`,
		},
		{
			workflow.UnknownState("m", "s", "x", []string{"a", "b"}),
			`machine "m", state "s": there is no state "x" to go to; there are "a", "b"`,
		},
		{workflow.UnknownState("m", "", "x", []string{"a"}), `machine "m": there is no state "x" to go to; there are "a"`},
		{r.LoopLimit(5), `no exit within max_loops = 5 turns`},
		{r.NoBranch("x", "a", "b"), `there is no branch "x"; there are "a", "b"`},
		{workflow.Conflict([]string{"x", "y"}, "a", "b"), `branches "a" and "b" give context.x.y ` + two},
		{workflow.Unfit([]string{"a"}, value), `context.a: a.b: found 1, expected text`},
		{workflow.Unfit(nil, value), `context: a.b: found 1, expected text`},
		{
			workflow.Refused("to_csv", "rows", "[2]", "an object", workflow.Int(5)),
			`to_csv: rows[2]: found 5, expected an object`,
		},
		{
			workflow.Blocked([]string{"a", "b.c", "d"}, 2, workflow.KindList),
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
		&workflow.StepError{Err: errFault}, workflow.StateFailed("m", "s", nil, errFault), workflow.Unfit(nil, errFault),
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
	var run workflow.Run
	for want, err := range map[string]error{
		"UnknownStateError": workflow.UnknownState("m", "s", "x", nil), "LoopLimitError": run.LoopLimit(5),
		"BranchKeyError": run.NoBranch("x"),
		"ConflictError":  workflow.Conflict(nil, "a", "b"), "ContextError": workflow.Unfit(nil, &runtime.ValueError{}),
		"PathError": workflow.Blocked([]string{"a"}, 1, workflow.KindList), "StalledError": workflow.Stalled("m", "s", workflow.Success, nil),
		"ArgumentError": workflow.Refused("to_csv", "rows", "", "a list", workflow.Value{}),
		"ValueError":    &runtime.ValueError{}, "error": errFault,
	} {
		fx := &door{}
		r := start(t, fx, "{}")
		_ = r.WrapError("s", err)
		if len(fx.notes) != 1 || fx.notes[0].Type != want || fx.notes[0].Problem != err.Error() {
			t.Errorf("%s: told %+v", want, fx.notes)
		}
	}
}
