package rt_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// watchedDoor is a door of the engine in memory, and what its observer is told.
func watchedDoor(t *testing.T) (runtime.Effects, *events) {
	t.Helper()
	told := &events{}
	fx, err := core.New(core.Config{Observer: told}).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}

	return fx, told
}

// echo is a branch that says what it was given and where it stands.
func echo(_ runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
	return runtime.Finish{Key: "done", Value: fmt.Sprintf("%s %v", input, len(at) == 0)}, nil
}

func TestTogether(t *testing.T) {
	fx, told := watchedDoor(t)
	results, err := rt.Flow("contest").Together(fx, 0, "task",
		rt.Branch{Name: "b", Run: echo},
		rt.Branch{Name: "a", Run: func(runtime.Effects, string, ...rt.Place) (runtime.Finish, error) {
			return runtime.Finish{Value: "lost"}, errors.New("broken")
		}},
		rt.Branch{Name: "c", Run: func(runtime.Effects, string, ...rt.Place) (runtime.Finish, error) { panic("bang") }},
	)
	if err != nil {
		t.Fatal(err)
	}
	const want = `b: {done task true false false } <nil>
a: {  false false } broken
c: {  false false } branch 2 panicked: bang
`
	if got := resultLines(results); got != want {
		t.Errorf("got\n%s", got)
	}
	if len(*told) != 1 || (*told)[0].Kind != event.Error || (*told)[0].Agent != "contest" || (*told)[0].Type != "PanicError" {
		t.Errorf("told %+v", *told)
	}
}

func resultLines(results rt.Results) string {
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "%s: %v %v\n", r.Name, r.Finish, r.Err)
	}

	return b.String()
}

func TestForEach(t *testing.T) {
	fx, _ := watchedDoor(t)
	results, err := rt.Flow("research").ForEach(fx, 2, []string{"x", "y", "x"}, echo)
	const want = "x: {done x true false false } <nil>\ny: {done y true false false } <nil>\nx: {done x true false false } <nil>\n"
	if got := resultLines(results); err != nil || got != want {
		t.Errorf("got %v\n%s", err, got)
	}
	for _, none := range [][]string{nil, {}} {
		if results, err := rt.Flow("research").ForEach(fx, 2, none, nil); err != nil || len(results) != 0 {
			t.Errorf("without items: %v, %v", results, err)
		}
	}
}

func TestTimes(t *testing.T) {
	fx, _ := watchedDoor(t)
	results, err := rt.Flow("newsletter").Times(fx, 2, 2, "variant", func(runtime.Effects) (runtime.Finish, error) {
		return runtime.Finish{Value: "x"}, nil
	})

	const want = "variant 1: { x false false } <nil>\nvariant 2: { x false false } <nil>\n"
	if got := resultLines(results); err != nil || got != want {
		t.Errorf("got %v\n%s", err, got)
	}
}

// TestGroupFails: a group all of whose branches fail does, and says so once for itself.
func TestGroupFails(t *testing.T) {
	fx, told := watchedDoor(t)
	broken, odd := errors.New("broken"), &model.Error{Status: 500}
	results, err := rt.Flow("research").ForEach(fx, 1, []string{"a", "b", "c"},
		func(_ runtime.Effects, item string, _ ...rt.Place) (runtime.Finish, error) {
			switch item {
			case "a":
				return runtime.Finish{}, broken
			case "b":
				return runtime.Finish{}, odd
			}
			panic("bang")
		})

	var group *runtime.GroupError
	if !errors.As(err, &group) || group.Agent != "research" || len(group.Failed) != 3 || len(results) != 3 {
		t.Fatalf("got %v, %v", results, err)
	}
	for i, name := range []string{"a", "b", "c"} {
		if failed := group.Failed[i]; failed.Name != name || failed.Err != results[i].Err {
			t.Errorf("branch %d: %+v", i, failed)
		}
	}
	var branch runtime.BranchError
	var model *model.Error
	var panicked *runtime.PanicError
	if !errors.As(err, &branch) || branch.Name != "a" || !errors.Is(err, broken) ||
		!errors.As(err, &model) || !errors.As(err, &panicked) || runtime.ErrorType(err) != "GroupError" {
		t.Errorf("got %v", err)
	}
	var kinds []string
	for _, e := range *told {
		kinds = append(kinds, string(e.Kind)+" "+e.Agent+" "+e.Type)
	}
	if want := []string{"error research PanicError", "error research GroupError"}; !slices.Equal(kinds, want) {
		t.Errorf("told %q", kinds)
	}
}

// TestWhatEndsAGroup: errors that no other branch can make up for are the group's, joined in the
// order of the branches; the other branches end first.
func TestWhatEndsAGroup(t *testing.T) {
	for _, ending := range []error{
		&runtime.PausedError{Question: runtime.Question{ID: "q"}}, &runtime.ScriptError{Problem: "is odd"}, &runtime.CancelledError{Reason: "why"},
		runtime.ErrNotImplemented, runtime.ErrNotAvailable, &core.MissingModelError{Role: "worker"},
		&core.MissingProviderError{Provider: "acme"}, &core.MissingEnvError{}, &core.MissingPriceError{}, &runtime.BadSettingError{Name: "X"},
		&runtime.GuardError{Guard: "g", Err: runtime.ErrNotImplemented},
	} {
		fx, told := watchedDoor(t)
		ended := 0
		run := func(_ runtime.Effects, item string, _ ...rt.Place) (runtime.Finish, error) {
			ended++
			switch item {
			case "panics":
				panic("bang")
			case "fails":
				return runtime.Finish{}, errors.New("broken")
			case "ends":
				return runtime.Finish{}, fmt.Errorf("wrapped: %w", ending)
			}

			return runtime.Finish{}, nil
		}
		items := []string{"works", "panics", "ends", "fails", "ends", "works"}
		results, err := rt.Flow("research").ForEach(fx, 1, items, run)
		if results != nil || ended != len(items) || !errors.Is(err, ending) {
			t.Errorf("%T: %d branches ended, %v, %v", ending, ended, results, err)
		}
		if want := "wrapped: " + ending.Error(); err.Error() != want+"\n"+want {
			t.Errorf("%T: got %v", ending, err)
		}
		if len(*told) != 1 || (*told)[0].Type != "PanicError" {
			t.Errorf("%T: told %+v", ending, *told)
		}

		_, err = rt.Flow("research").ForEach(fx, 1, []string{"ends", "fails"}, run)
		if _, joined := err.(interface{ Unwrap() []error }); joined || err.Error() != "wrapped: "+ending.Error() {
			t.Errorf("%T: one alone comes back as %T", ending, err)
		}
	}
}

// TestGroupsInGroups: what ends an inner group ends the outer one; an inner group that fails is a
// failed branch.
func TestGroupsInGroups(t *testing.T) {
	paused := &runtime.PausedError{Question: runtime.Question{ID: "q"}}
	inner := func(errs ...error) rt.RunFunc {
		return func(fx runtime.Effects, _ string, _ ...rt.Place) (runtime.Finish, error) {
			results, err := rt.Flow("inner").ForEach(fx, 0, make([]string, len(errs)), once(errs))

			return results.Document(), err
		}
	}
	broken := errors.New("broken")
	fx, _ := watchedDoor(t)
	_, err := rt.Flow("outer").Together(fx, 1, "", rt.Branch{Name: "a", Run: inner(broken, paused, paused)}, rt.Branch{Name: "b", Run: inner(nil)})
	var pause *runtime.PausedError
	if !errors.As(err, &pause) {
		t.Errorf("got %v", err)
	}

	results, err := rt.Flow("outer").Together(fx, 1, "", rt.Branch{Name: "a", Run: inner(broken, broken)}, rt.Branch{Name: "b", Run: inner(nil, broken)})
	var group *runtime.GroupError
	if err != nil || !errors.As(results[0].Err, &group) || group.Agent != "inner" || results[1].Err != nil {
		t.Errorf("got %v, %v", results, err)
	}
}

// once is a branch that ends with the next error each time.
func once(errs []error) rt.RunFunc {
	next := make(chan error, len(errs))
	for _, err := range errs {
		next <- err
	}

	return func(runtime.Effects, string, ...rt.Place) (runtime.Finish, error) {
		return runtime.Finish{}, <-next
	}
}

// broken is a door whose groups end as it says, whatever their branches do.
type brokenDoor struct {
	base
	err  error
	runs int
}

func (d *brokenDoor) Parallel(_, _ int, branch func(int, runtime.Effects) error) error {
	for i := range d.runs {
		_ = branch(i, d)
	}

	return d.err
}

func (d *brokenDoor) Note(event.Event) {}

// TestEnginesErrorIsTheGroups: an error that is no branch's, such as the cause of a cancellation,
// is the group's own, as it is.
func TestEnginesErrorIsTheGroups(t *testing.T) {
	cause := errors.New("the cause")
	bang := &runtime.PanicError{Where: "branch 2", Value: "bang"}
	for name, c := range map[string]struct {
		err  error
		runs int
	}{
		"before any branch":               {err: cause},
		"after some":                      {err: cause, runs: 2},
		"after all":                       {err: cause, runs: 3},
		"a panic that is no branch's":     {err: bang, runs: 2},
		"joined, but not of the branches": {err: errors.Join(cause), runs: 2},
		"too few":                         {err: errors.Join(bang), runs: 1},
		"too many":                        {err: errors.Join(bang, bang), runs: 2},
	} {
		fx := &brokenDoor{err: c.err, runs: c.runs}
		results, err := rt.Flow("research").ForEach(fx, 0, []string{"a", "b", "c"}, echo)
		if err != c.err || results != nil {
			t.Errorf("%s: got %v, %v", name, results, err)
		}
	}

	fx := &brokenDoor{err: errors.Join(bang), runs: 2}
	results, err := rt.Flow("research").ForEach(fx, 0, []string{"a", "b", "c"}, echo)
	if err != nil || results[1].Err != nil || results[2].Err != bang {
		t.Errorf("a branch's panic: got %v, %v", results, err)
	}
}
