package live_test

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/generated/live"
)

// dispatches is how many keys the stress test fires: few, unless AGENTC_DISPATCHES says how many.
func dispatches(t *testing.T) int {
	t.Helper()
	text := os.Getenv("AGENTC_DISPATCHES")
	if text == "" {
		return 20_000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}

	return n
}

// watched runs a test that has to end, and shows what hangs if it does not.
func watched(t *testing.T, work func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); work() }()
	select {
	case <-done:
	case <-time.After(5 * time.Minute):
		stacks := make([]byte, 1<<20)
		t.Fatalf("it hangs:\n%s", stacks[:runtime.Stack(stacks, true)])
	}
}

// TestOneWinner: of many who fire for the same sequence number exactly one wins, and everybody else is told.
func TestOneWinner(t *testing.T) {
	m := newDoor(nil)
	for round := range uint64(50) {
		key := []doorKey{"open", "close"}[round%2]
		var won, stale atomic.Int64
		var group sync.WaitGroup
		for range 64 {
			group.Go(func() {
				_, err := m.FireIf(round+1, key)
				var late *drive.StaleError
				switch {
				case err == nil:
					won.Add(1)
				case errors.As(err, &late):
					stale.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		group.Wait()
		if won.Load() != 1 || stale.Load() != 63 || m.Seq() != round+2 {
			t.Fatalf("round %d: %d won, %d were late, seq %d", round, won.Load(), stale.Load(), m.Seq())
		}
	}
}

// TestStress: 64 goroutines fire whatever they like. Each sequence number is won once, every step begins where the one before
// ended, and subscribers are told of all of them in order; one of them fires keys itself.
func TestStress(t *testing.T) {
	for _, processors := range []int{1, runtime.GOMAXPROCS(0)} {
		t.Run(strconv.Itoa(processors), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			watched(t, func() { stress(t, dispatches(t)) })
		})
	}
}

func stress(t *testing.T, dispatches int) {
	const goroutines = 64
	keys := []doorKey{"open", "lock", "close", "Slam", "unlock"}
	m := newDoor(nil)
	var own atomic.Int64
	m.Subscribe(func(s drive.Step) {
		if s.Seq%10 == 0 {
			if _, err := m.Fire(keys[s.Seq%5]); err == nil {
				own.Add(1)
			}
		}
	})
	var mutex sync.Mutex
	var told []drive.Step
	m.Subscribe(func(s drive.Step) {
		mutex.Lock()
		defer mutex.Unlock()
		told = append(told, s)
	})

	won := make([][]live.Step[doorState, doorKey], goroutines)
	var group sync.WaitGroup
	for g := range goroutines {
		group.Go(func() {
			for i := range dispatches / goroutines {
				if step, err := m.Fire(keys[(g+i)%len(keys)]); err == nil {
					won[g] = append(won[g], step)
				}
			}
		})
	}
	group.Wait()
	all := func() bool {
		mutex.Lock()
		defer mutex.Unlock()
		return len(told) >= int(m.Seq())-1
	}
	for !all() { // a step that was handed over to another goroutine may be under way; who watches sees if it never comes
		time.Sleep(time.Millisecond)
	}

	steps := slices.Concat(won...)
	total := len(steps) + int(own.Load())
	if int(m.Seq()) != total+1 || len(told) != total {
		t.Fatalf("%d steps were made, seq %d, told of %d", total, m.Seq(), len(told))
	}
	from := "closed"
	for i, s := range told {
		if s.Seq != uint64(i)+2 || s.From != from {
			t.Fatalf("step %d is told as %d, from %s after %s", i+2, s.Seq, s.From, from)
		}
		from = s.To
	}
	for _, s := range steps {
		if as := told[s.Seq-2]; as.Key != string(s.Key) || as.To != s.To.String() {
			t.Fatalf("%+v is told as %+v", s, as)
		}
	}
}
