package interp

import "github.com/agentc-dev/agentc/gen/internal/ir"

// NoMachines implements [Machines] for a domain whose programs have no machines among their steps.
// No method is ever called.
type NoMachines[S any] struct{}

// Begin panics.
func (NoMachines[S]) Begin(*ir.Task, *ir.Machine, S) S { panic(hasMachine) }

// Event panics.
func (NoMachines[S]) Event(StateVisit[S], string, S) S { panic(hasMachine) }

// Take panics.
func (NoMachines[S]) Take(StateVisit[S], Move, S) S { panic(hasMachine) }

// Stop panics.
func (NoMachines[S]) Stop(StateVisit[S], bool, S) S { panic(hasMachine) }

// Stall panics.
func (NoMachines[S]) Stall(StateVisit[S], S) { panic(hasMachine) }

// Finish panics.
func (NoMachines[S]) Finish(*ir.Task, *ir.Machine, Ends[S]) Ends[S] { panic(hasMachine) }

const hasMachine = "there is a machine among the steps"
