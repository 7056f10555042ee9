// Package last keeps the last result of a pure function, so that orchestration, which shares no memory of its own between
// runs, need not compute it again. Which result is kept depends on other runs; what callers return must not depend on it.
package last

import "sync/atomic"

// Value has the last result. The zero Value has none.
type Value[T any] struct{ p atomic.Pointer[T] }

// Load returns the last result; nil if there is none. It must not be changed.
func (v *Value[T]) Load() *T { return v.p.Load() }

// Store keeps a result.
func (v *Value[T]) Store(result *T) { v.p.Store(result) }
