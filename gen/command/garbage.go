package command

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How the garbage collector works: rarely while the heap is small, as a compiler ends before it has
// to give memory back, and a little more often than usual for projects of thousands of agents, so
// that they fit into the memory of a small machine.
const (
	smallHeap        = 16 << 20 // bytes that are in use after a collection
	smallHeapPercent = 400
	largeHeapPercent = 50
)

// collectRarely sets the percentage of a small heap, and that of a large one as soon as it is. A
// user's GOGC stays.
func collectRarely() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(smallHeapPercent)
		afterCollection(adjustPercent)
	}
}

// adjustPercent is called after each collection until the heap is large.
func adjustPercent() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Uint64() < smallHeap {
		afterCollection(adjustPercent)
		return
	}
	debug.SetGCPercent(largeHeapPercent)
}

// afterCollection calls do once the next collection has found that an object is not used.
func afterCollection(do func()) {
	type unused struct{ _ *int }
	runtime.SetFinalizer(&unused{}, func(*unused) { do() })
}
