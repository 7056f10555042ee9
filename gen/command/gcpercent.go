package command

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The garbage collector runs rarely while the heap is small, because a compiler usually ends before
// it has to free memory. For projects with thousands of agents it runs more often than by default,
// so that they fit into the memory of a small machine.
const (
	smallHeap        = 16 << 20 // live bytes after a collection
	smallHeapPercent = 400
	largeHeapPercent = 50
)

// collectRarely sets the percentage for a small heap, and later for a large heap. It respects GOGC.
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

// afterCollection calls do after the next garbage collection.
func afterCollection(do func()) {
	type unused struct{ _ *int }
	runtime.SetFinalizer(&unused{}, func(*unused) { do() })
}
