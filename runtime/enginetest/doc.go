// Package enginetest is the conformance suite of engines, and an engine that permutes branches.
//
//	func TestMyEngine(t *testing.T) {
//		enginetest.Run(t, func(s enginetest.Setup) compiled.Engine { return myengine.New(…) })
//	}
//
// [Run] drives all nine methods of the door through programs of its own: what they give back, errors, panics and cancellation
// in each, addresses, parallel groups three deep and what becomes of their results, events, and runs beside each other.
// [Permute] wraps any engine so that the branches of each group run one after another in another order: a program whose result
// or addresses then differ is not pure.
package enginetest
