package keys

import "github.com/agentc-dev/agentc/gen/ir"

// Exhausted is the key with which a reflexion or a plan-execute finishes whose limit is reached, where that key has a row.
const Exhausted = "exhausted"

// OfRun returns the rule of a run in a flow. Its kind is never Closed: a flow goes on with every key that it does not know.
func OfRun(r *ir.Run) Rule {
	switch r.At.Kind {
	case ir.PlaceOuter:
		return Rule{Kind: Outer}
	case ir.PlaceOpen:
		return Rule{Kind: Open, Keys: r.At.Keys}
	case ir.PlaceOr:
		return Rule{Kind: Or, Keys: r.At.Keys}
	}

	return Rule{Kind: Free}
}

// OfFlow returns with which keys a flow finishes: done says that it can be the key done, own are the runs whose key becomes
// the flow's, but for those that the flow itself routes. It can be [Exhausted] too where that has a row.
func OfFlow(f *ir.Flow) (done bool, own []*ir.Run) {
	runs := map[string]*ir.Run{}
	ir.Walk(f.Body, func(op ir.Op) {
		switch op := op.(type) {
		case *ir.Run:
			runs[op.Var] = op
		case *ir.Return:
			if op.Key != ir.KeyOwn {
				done = done || op.Key != ir.KeyUnfinished
			} else if r := runs[op.Var]; r != nil {
				own = append(own, r)
			}
		}
	})

	return done, own
}

// Limited reports whether f can be exhausted: its limit has a key where that has a row.
func Limited(f *ir.Flow) bool {
	found := false
	ir.Walk(f.Body, func(op ir.Op) {
		ret, ok := op.(*ir.Return)
		found = found || ok && (ret.Key == ir.KeyExhausted || ret.Key == ir.KeyUnfinished)
	})

	return found
}
