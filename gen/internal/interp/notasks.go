package interp

import "github.com/agentc-dev/agentc/gen/internal/ir"

// NoTasks implements the methods of [Domain] for tasks, for a domain of machines whose states have
// no steps. No method is ever called.
type NoTasks[S any] struct{ NoRetries[S] }

// Give panics.
func (NoTasks[S]) Give(*ir.Task, S) S { panic(hasTask) }

// Do panics.
func (NoTasks[S]) Do(*ir.Task, S) Ends[S] { panic(hasTask) }

// Keep panics.
func (NoTasks[S]) Keep(*ir.Task, S) Ends[S] { panic(hasTask) }

// Decide panics.
func (NoTasks[S]) Decide(*ir.Task, S) Ends[S] { panic(hasTask) }

// Item panics.
func (NoTasks[S]) Item(*ir.Loop, int, S) (next, skipped S) { panic(hasTask) }

// Tolerate panics.
func (NoTasks[S]) Tolerate(*ir.Loop, S, S) S { panic(hasTask) }

// Collect panics.
func (NoTasks[S]) Collect(*ir.Loop, S) Ends[S] { panic(hasTask) }

// Advance panics.
func (NoTasks[S]) Advance(Progress[S]) Step[S] { panic(hasTask) }

// Fork panics.
func (NoTasks[S]) Fork(*ir.Task, S) []S { panic(hasTask) }

// Share panics.
func (NoTasks[S]) Share(*ir.Task, S, []Ends[S]) S { panic(hasTask) }

// Merge panics.
func (NoTasks[S]) Merge(*ir.Task, S, []Ends[S]) Ends[S] { panic(hasTask) }

const hasTask = "there is a task in a state"
