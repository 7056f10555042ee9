package enginetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// addresses looks at groups three deep, with effects before, in and after each.
func addresses(t T, make Make) {
	where := &probe{}
	mustRunBody(t, make, Setup{}, func(fx runtime.Effects) error { return callNested(fx, where, 3) })

	want := nestedAddresses("", 3)
	slices.Sort(want)
	check(t, slices.Equal(where.sortedAddresses(), want), "got %q\nwant %q", where.sortedAddresses(), want)
	runs, keys := map[string]bool{}, map[string]bool{}
	for _, c := range where.calls {
		runs[c.Run], keys[c.IdempotencyKey()] = true, true
	}
	check(t, len(runs) == 1 && !runs[""], "runs: %v", runs)
	check(t, len(keys) == len(want), "%d idempotency keys for %d effects", len(keys), len(want))
}

// callNested calls a tool, a group of three branches that do the same one level down, and a tool
// again.
func callNested(fx runtime.Effects, where *probe, depth int) error {
	if _, err := where.callTool(fx); err != nil || depth == 0 {
		return err
	}
	err := fx.Parallel(3, depth, func(_ int, fx runtime.Effects) error { return callNested(fx, where, depth-1) })
	if err != nil {
		return err
	}
	_, err = where.callTool(fx)

	return err
}

// nestedAddresses returns the addresses of callNested below a prefix.
func nestedAddresses(prefix string, depth int) []string {
	if depth == 0 {
		return []string{prefix + "1"}
	}
	want := []string{prefix + "1", prefix + "3"}
	for i := range 3 {
		want = append(want, nestedAddresses(fmt.Sprintf("%s2.%d.", prefix, i), depth-1)...)
	}

	return want
}

// parallelWaits: an error stops no other branch, and errors come back in the order of the branches.
func parallelWaits(t T, make Make) {
	const n = 12
	var ran atomic.Int64
	errs := [n]error{}
	err := runBody(make, Setup{}, func(fx runtime.Effects) error {
		err := fx.Parallel(n, 3, func(i int, fx runtime.Effects) error {
			ran.Add(1)
			if i%3 == 1 {
				return nil
			}
			errs[i] = fmt.Errorf("branch %02d fails", i)

			return errs[i]
		})
		check(t, ran.Load() == n, "%d of %d branches ran", ran.Load(), n)

		return err
	})
	if err == nil {
		t.Fatalf("no error")
	}
	last := -1
	for i, want := range errs {
		at := strings.Index(err.Error(), fmt.Sprintf("branch %02d fails", i))
		check(t, (want != nil) == (at >= 0), "branch %d in %q", i, err)
		if want == nil {
			continue
		}
		check(t, errors.Is(err, want) && at > last, "branch %d is not in its place in %q", i, err)
		last = at
	}
}

// parallelLimit: no more branches run at a time than the limit says, and without one all may meet.
func parallelLimit(t T, make Make) {
	for _, limit := range []int{1, 2, 5} {
		var now, most atomic.Int64
		mustRunBody(t, make, Setup{}, func(fx runtime.Effects) error {
			return fx.Parallel(30, limit, func(i int, fx runtime.Effects) error {
				defer countRunning(&now, &most)()
				_, err := (&probe{}).callTool(fx)
				if i < limit {
					time.Sleep(2 * time.Millisecond) // time for one too many to begin
				}

				return err
			})
		})
		check(t, most.Load() <= int64(limit), "%d branches at a time, limit %d", most.Load(), limit)
	}
}

func parallelOfNothing(t T, make Make) {
	where := &probe{}
	mustRunBody(t, make, Setup{}, func(fx runtime.Effects) error {
		if err := fx.Parallel(0, 4, func(int, runtime.Effects) error { return errors.New("a branch ran") }); err != nil {
			return err
		}
		_, err := where.callTool(fx)

		return err
	})
	check(t, slices.Equal(where.sortedAddresses(), []string{"2"}), "the next effect is at %q", where.sortedAddresses())
}

// permutedBranches: another order of branches gives the same result at the same addresses.
func permutedBranches(t T, make Make) {
	anyOrder(t, make, func(fx runtime.Effects, where *probe) (any, error) {
		var mu sync.Mutex
		results := map[string]string{}
		err := fx.Parallel(4, 2, func(i int, fx runtime.Effects) error {
			return fx.Parallel(3, 0, func(j int, fx runtime.Effects) error {
				at, err := where.callTool(fx)
				mu.Lock()
				defer mu.Unlock()
				results[fmt.Sprint(i, j)] = at

				return err
			})
		})

		return results, err
	})
}

// anyOrder checks that a run gives the same results in any order of branches, at the same addresses
// and with the same events.
func anyOrder(t T, make Make, run func(fx runtime.Effects, where *probe) (results any, err error)) {
	outcome := func(permute func(compiled.Engine) compiled.Engine) string {
		where, observed := &probe{}, &log{}
		var results any
		permuted := func(s Setup) compiled.Engine { return permute(make(s)) }
		err := runBody(permuted, Setup{Observer: observed}, func(fx runtime.Effects) (err error) {
			results, err = run(fx, where)
			return err
		})

		return fmt.Sprint(err, results, where.sortedAddresses(), Trace(observed.events))
	}
	want := outcome(func(e compiled.Engine) compiled.Engine { return e })
	for seed := range int64(8) {
		got := outcome(func(e compiled.Engine) compiled.Engine { return Permute(e, seed) })
		check(t, got == want, "order %d: got %s\nwant %s", seed, got, want)
	}
}
