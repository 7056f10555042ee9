// Package runtime is what generated code links against: the door to the world, the react loop, routing, what flows are made of,
// and the errors.
//
// Generated code and the loops of this package are pure: they touch the world through one interface, [Effects], and hold
// no clock, randomness, goroutine, environment or network of their own. An engine stands behind the door. Package local
// runs a program in memory; package simulate answers from a script; package enginetest is the conformance suite that every
// engine has to pass.
//
// The package and everything in its module needs the standard library only.
package runtime
