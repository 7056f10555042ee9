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

// Walk visits the expression and everything in it; nothing of nil.
func (f *Formula) Walk(visit func(Expression)) {
	if f != nil {
		WalkExpression(f.Root, visit)
	}
}

// Walk visits the expressions of a template; none of nil.
func (t *Template) Walk(visit func(Expression)) {
	if t != nil {
		walkParts(t.Parts, visit)
	}
}

func walkParts(parts []Part, visit func(Expression)) {
	for _, part := range parts {
		switch part := part.(type) {
		case *Placeholder:
			WalkExpression(part, visit)
		case *IfPart:
			WalkExpression(part.Cond, visit)
			walkParts(part.Body, visit)
		case *EachPart:
			WalkExpression(part.Items, visit)
			walkParts(part.Body, visit)
		}
	}
}

// Walk visits the expressions of a datum; none of nil.
func (d *Datum) Walk(visit func(Expression)) {
	if d == nil {
		return
	}
	d.Text.Walk(visit)
	WalkExpression(d.Value, visit)
	for _, item := range d.List {
		item.Walk(visit)
	}
	walkFields(d.Fields, visit)
}

func walkFields(fields []DatumField, visit func(Expression)) {
	for _, f := range fields {
		f.Value.Walk(visit)
	}
}

// WalkGiven visits the expressions that are computed before a task begins.
func (t *Task) WalkGiven(visit func(Expression)) {
	t.Input.Walk(visit)
	switch do := t.Do.(type) {
	case *UseFunc:
		do.Params.Walk(visit)
	case *UseBuiltin:
		walkFields(do.Args, visit)
	case *Ask:
		do.Message.Walk(visit)
	case *Branch:
		do.Key.Walk(visit)
	}
}

// WalkExpressions visits the expressions of a task itself, without those of the pipelines inside of it.
func (t *Task) WalkExpressions(visit func(Expression)) {
	t.WalkGiven(visit)
	switch do := t.Do.(type) {
	case *Loop:
		do.Exit.Walk(visit)
		do.Result.Walk(visit)
	case *Machine:
		for _, guard := range do.Guards() {
			guard.Formula.Walk(visit)
		}
	}
}
