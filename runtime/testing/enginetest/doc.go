// Package enginetest is the conformance suite for engines, and an engine that permutes branches. A test of your own
// engine calls it:
//
//	func TestMyEngine(t *testing.T) {
//		enginetest.Run(t, func(s enginetest.Setup) compiled.Engine { return myengine.New(…) })
//	}
//
// [Run] calls every effect of [runtime.Effects] through programs of its own. It tests results, errors, panics and
// cancellation of each, addresses, parallel groups nested three deep and their results, events, and concurrent runs.
// [Permute] wraps any engine so that the branches of each group run one after another in another order: a program
// whose result or addresses differ then is not deterministic.
package enginetest
