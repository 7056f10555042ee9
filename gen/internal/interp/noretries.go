package interp

import "github.com/agentc-dev/agentc/gen/internal/ir"

// NoRetries implements the methods of [Domain] for failed attempts, for a domain whose tasks have
// one attempt and no fallback.
type NoRetries[S any] struct{}

// Undo returns the runs that failed.
func (NoRetries[S]) Undo(_ *ir.Task, _, failed S) S { return failed }

// Retry returns the runs that failed.
func (NoRetries[S]) Retry(_ *ir.Task, _, failed S) S { return failed }
