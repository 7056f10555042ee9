// Package parallel uses all processors for work whose parts do not depend on each other, so that its result does not depend
// on them either.
package parallel

import (
	"runtime"
	"sync"
)

// Do calls do for 0 to n-1, on all processors, and returns when all calls have. A panic of a call is raised again in the
// caller, that of the lowest number if there are several.
func Do(n int, do func(i int)) {
	panics := make([]any, n)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				panics[i] = caught(i, do)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()

	for _, v := range panics {
		if v != nil {
			panic(v)
		}
	}
}

func caught(i int, do func(i int)) (panicked any) {
	defer func() { panicked = recover() }()
	do(i)

	return nil
}
