package enginetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// groups: the results of a group are in the order of its branches, each from its own address,
// whatever order they ran in; a branch that fails or panics is the one that has the error.
func groups(t T, make Make) {
	where, observed := &probe{}, &log{}
	var now, most atomic.Int64
	broken := errors.New("broken")
	items := []string{"a", "panics", "b", "fails", "c", "fails", "panics", "a"}
	run := func(fx runtime.Effects, item string, _ ...rt.Place) (runtime.Finish, error) {
		defer countRunning(&now, &most)()
		at, err := where.callTool(fx)
		if err != nil {
			return runtime.Finish{}, err
		}
		switch item {
		case "panics":
			panic("bang at " + at)
		case "fails":
			return runtime.Finish{}, fmt.Errorf("%w at %s", broken, at)
		}

		return runtime.Finish{Key: "done", Value: item + " at " + at}, nil
	}

	var results rt.Results
	err := runBody(make, Setup{Observer: observed}, func(fx runtime.Effects) (err error) {
		results, err = rt.Flow("main").ForEach(fx, 3, items, run)

		return err
	})
	check(t, err == nil && len(results) == len(items), "the run: %v, %v", err, results)
	for i, r := range results {
		at := fmt.Sprintf(" at 1.%d.1", i)
		check(t, r.Name == items[i], "branch %d is called %q", i, r.Name)
		var panicked *runtime.PanicError
		switch r.Name {
		case "panics":
			check(t, errors.As(r.Err, &panicked) && panicked.Value == "bang"+at, "branch %d: %v", i, r.Err)
		case "fails":
			check(t, errors.Is(r.Err, broken) && r.Err.Error() == "broken"+at, "branch %d: %v", i, r.Err)
		default:
			check(t, r.Err == nil && r.Finish.Value == r.Name+at, "branch %d: %+v", i, r)
		}
	}
	check(t, most.Load() <= 3, "%d branches at a time, limit 3", most.Load())
	check(t, len(observed.eventsOf(event.Error)) == 2, "errors: %+v", observed.eventsOf(event.Error))
}

// countRunning counts one more branch that runs now, and the most that ran at a time. The function
// that it returns counts one less.
func countRunning(now, most *atomic.Int64) (end func()) {
	running := now.Add(1)
	for seen := most.Load(); running > seen && !most.CompareAndSwap(seen, running); seen = most.Load() {
	}

	return func() { now.Add(-1) }
}

// groupsFail: a group all of whose branches fail does, in a group too, where that is one branch's
// failure.
func groupsFail(t T, make Make) {
	broken := errors.New("broken")
	inner := func(fails bool) rt.RunFunc {
		return func(fx runtime.Effects, input string, _ ...rt.Place) (runtime.Finish, error) {
			results, err := rt.Flow("inner").Times(fx, 0, 3, "try", func(runtime.Effects) (runtime.Finish, error) {
				if fails {
					return runtime.Finish{}, broken
				}

				return runtime.Finish{Value: input}, nil
			})

			return results.Object(), err
		}
	}
	err := runBody(make, Setup{}, func(fx runtime.Effects) error {
		results, err := rt.Flow("outer").Together(fx, 1, "x",
			rt.Branch{Name: "a", Run: inner(true)}, rt.Branch{Name: "b", Run: inner(false)})
		if err != nil {
			return err
		}
		var group *runtime.GroupError
		failed := results[0].Err
		check(t, errors.As(failed, &group) && group.Agent == "inner" && len(group.Failed) == 3, "a: %v", failed)
		const want = `{"try 1":"x","try 2":"x","try 3":"x"}`
		check(t, results[1].Err == nil && results[1].Finish.Value == want, "b: %+v", results[1])

		_, err = rt.Flow("outer").Together(fx, 1, "x",
			rt.Branch{Name: "a", Run: inner(true)}, rt.Branch{Name: "b", Run: inner(true)})

		return err
	})
	var group *runtime.GroupError
	check(t, errors.As(err, &group) && group.Agent == "outer" && len(group.Failed) == 2, "the run: %v", err)
	check(t, errors.Is(err, broken), "the branches' errors are lost: %v", err)
}

// groupsPause: where a branch waits for a person who cannot be asked, the others end, and then the
// run pauses.
func groupsPause(t T, make Make) {
	var ended atomic.Int64
	observed := &log{}
	err := runBody(make, Setup{Observer: observed}, func(fx runtime.Effects) error {
		results, err := rt.Flow("main").ForEach(fx, 0, []string{"a", "asks", "fails", "b"},
			func(fx runtime.Effects, item string, _ ...rt.Place) (runtime.Finish, error) {
				defer ended.Add(1)
				switch item {
				case "asks":
					_, err := rt.Flow("approval").Ask(fx, runtime.Finish{Key: "email", Value: "May I?"})

					return runtime.Finish{}, err
				case "fails":
					return runtime.Finish{}, errors.New("broken")
				}

				return runtime.Finish{}, nil
			})

		check(t, results == nil, "results beside the error: %v", results)

		return err
	})
	var paused *runtime.PausedError
	check(t, errors.As(err, &paused) && paused.Question.ID == "approval@1", "the run: %v", err)
	check(t, ended.Load() == 4, "%d branches ended", ended.Load())
	pauses := observed.eventsOf(event.Pause)
	check(t, len(pauses) == 1 && pauses[0].Channel == "email" && pauses[0].Text == "May I?", "pauses: %+v", pauses)
}

// groupsEnd: in groups three deep each failure is reported once, where it arises; a failure that no
// other branch can make up for ends the run, and a pause of another branch does not hide it.
func groupsEnd(t T, make Make) {
	observed := &log{}
	unwritten := func(context.Context) (runtime.ToolResult, error) {
		return runtime.ToolResult{}, runtime.ErrNotImplemented
	}
	leaf := func(fx runtime.Effects, item string, _ ...rt.Place) (runtime.Finish, error) {
		var err error
		switch item {
		case "asks":
			_, err = rt.Flow("approval").Ask(fx, runtime.Finish{Value: "May I?"})
		case "unwritten":
			_, err = fx.Tool(newToolCall(unwritten))
		case "told":
			err = &runtime.ScriptError{Problem: "is odd"}
			fx.Note(event.Event{Kind: event.Error, Agent: "leaf", Type: "ScriptError", Problem: err.Error()})
		case "panics":
			panic("bang")
		case "panics with an error":
			panic(runtime.ErrNotImplemented)
		}

		return runtime.Finish{Value: item}, err
	}
	var mu sync.Mutex
	ended := map[string]rt.Results{}
	deep := func(title string, items ...string) rt.Branch {
		return rt.Branch{Name: title, Run: func(fx runtime.Effects, _ string, _ ...rt.Place) (runtime.Finish, error) {
			results, err := rt.Flow("middle").Times(fx, 0, 1, title, func(fx runtime.Effects) (runtime.Finish, error) {
				results, err := rt.Flow(title).ForEach(fx, 2, items, leaf)
				mu.Lock()
				defer mu.Unlock()
				ended[title] = results

				return results.Document(), err
			})

			return results.Object(), err
		}}
	}
	err := runBody(make, Setup{Observer: observed}, func(fx runtime.Effects) error {
		_, err := rt.Flow("outer").Together(fx, 1, "x", deep("pause", "asks", "panics", "a"), deep("all", "panics", "panics"),
			deep("end", "unwritten", "told", "panics"), deep("one", "panics", "c"), deep("value", "panics with an error", "d"))

		return err
	})
	var paused *runtime.PausedError
	check(t, errors.Is(err, runtime.ErrNotImplemented) && errors.As(err, &paused), "the run: %v", err)
	check(t, len(ended) == 5 && len(ended["all"]) == 2 && len(ended["one"]) == 2, "the groups: %v", ended)
	told := map[string]int{}
	for _, e := range observed.eventsOf(event.Error) {
		told[e.Agent+" "+e.Type]++
	}
	const want = "map[ PanicError:1  error:1 all GroupError:1 all PanicError:2 end PanicError:1 leaf ScriptError:1 " +
		"middle GroupError:1 one PanicError:1 pause PanicError:1]"
	check(t, fmt.Sprint(told) == want, "errors: %v", told)
	check(t, len(observed.eventsOf(event.Pause)) == 1, "pauses: %+v", observed.eventsOf(event.Pause))
	ends := observed.eventsOf(event.End)
	check(t, len(ends) == 1 && ends[0].Status == "failed", "ends: %+v", ends)
}

// groupsCancelled: the cause is the group's error, not a failure of its branches, and branches that
// have not begun do not begin.
func groupsCancelled(t T, make Make) {
	ctx, cancel := newContext()
	var began atomic.Int64
	err := runBodyIn(ctx, make, Setup{}, func(fx runtime.Effects) error {
		results, err := rt.Flow("main").Times(fx, 1, 1000, "try", func(fx runtime.Effects) (runtime.Finish, error) {
			if began.Add(1) == 10 {
				cancel()
			}
			_, err := (&probe{}).callTool(fx)

			return runtime.Finish{}, err
		})

		check(t, results == nil && errors.Is(err, errCancelled), "the group: %v, %v", results, err)

		return err
	})
	check(t, errors.Is(err, errCancelled), "the run: %v", err)
	check(t, began.Load() == 10, "%d branches began", began.Load())
}

// permutedGroups: another order of branches gives the same results and the same events.
func permutedGroups(t T, make Make) {
	anyOrder(t, make, func(fx runtime.Effects, where *probe) (any, error) {
		leaf := func(fx runtime.Effects, input string, _ ...rt.Place) (runtime.Finish, error) {
			at, err := where.callTool(fx)
			if input == "c" {
				panic("bang")
			}

			return runtime.Finish{Key: input, Value: at}, err
		}

		return rt.Flow("outer").ForEach(fx, 2, []string{"a", "b", "c", "d"},
			func(fx runtime.Effects, item string, _ ...rt.Place) (runtime.Finish, error) {
				inner, err := rt.Flow("inner "+item).Together(fx, 0, item,
					rt.Branch{Name: "x", Run: leaf}, rt.Branch{Name: "y", Run: leaf})
				if err != nil {
					return runtime.Finish{}, err
				}

				return rt.Flow("inner "+item).Done(fx, inner.Object())
			})
	})
}
