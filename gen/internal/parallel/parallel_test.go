package parallel_test

import (
	"sync/atomic"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/parallel"
)

func TestEachNumberOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		calls := make([]atomic.Int32, n)
		parallel.Do(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("%d of %d was called %d times", i, n, got)
			}
		}
	}
}

func TestAPanicReachesTheCaller(t *testing.T) {
	var calls atomic.Int32
	defer func() {
		if v := recover(); v != 3 || calls.Load() != 10 {
			t.Errorf("after %d calls the panic is %v", calls.Load(), v)
		}
	}()
	parallel.Do(10, func(i int) {
		calls.Add(1)
		if i >= 3 && i%2 == 1 {
			panic(i)
		}
	})
	t.Error("there was no panic")
}
