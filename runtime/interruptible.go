package runtime

// Interruptible is code that promises to return soon after its context has ended. A [model.Provider]
// may implement it, and what runs the tools of a part of a program. The source of a typed tool or a
// function makes the promise with interruptible: true. The engine calls such code in the
// goroutine of the run. It calls other code in a goroutine that the calls of a branch share, and that
// it abandons when the context of a call ends.
//
// Code that breaks its promise holds its run. The engine reports that by an event and does not
// believe the promise again: see the README of package runtime.
type Interruptible interface {
	// Interruptible reports whether all calls of the code return soon after their contexts have ended.
	Interruptible() bool
}
