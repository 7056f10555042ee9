package ir

// WalkExpression visits an expression and everything in it, outermost first.
func WalkExpression(x Expression, visit func(Expression)) {
	if x == nil {
		return
	}
	visit(x)
	all := func(list ...Expression) {
		for _, inner := range list {
			WalkExpression(inner, visit)
		}
	}
	switch x := x.(type) {
	case *Tuple:
		all(x.Items...)
	case *Access:
		all(x.Default)
	case *Not:
		all(x.X)
	case *Logic:
		all(x.X...)
	case *Compare:
		all(x.X, x.Y)
	case *Contains:
		all(x.X, x.Y)
	case *Method:
		all(x.X, x.Arg)
	case *Placeholder:
		all(x.Values...)
	}
}
