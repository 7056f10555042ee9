package ir

import "slices"

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
	case *Arithmetic:
		all(x.X, x.Y)
	case *FuncCall:
		all(x.X)
	case *Method:
		all(x.X, x.Arg)
	case *Placeholder:
		all(x.Values...)
	case *Notes:
		all(x.Base)
		for _, section := range x.Sections {
			all(section.Text)
		}
	case *Report:
		all(x.X)
	case *Document:
		all(x.X)
	case *Object:
		all(x.X)
	case *SaysDone:
		all(x.X)
	}
}

// ReplaceExpressions replaces, in place, what is in an expression, innermost last, and returns what
// replaces the expression itself. What replace returns unchanged is searched.
func ReplaceExpressions(x Expression, replace func(Expression) Expression) Expression {
	if x == nil {
		return nil
	}
	if other := replace(x); other != x {
		return other
	}
	inside := func(parts ...*Expression) {
		for _, part := range parts {
			*part = ReplaceExpressions(*part, replace)
		}
	}
	list := func(items []Expression) {
		for i := range items {
			inside(&items[i])
		}
	}
	switch x := x.(type) {
	case *Tuple:
		list(x.Items)
	case *Access:
		inside(&x.Default)
	case *Not:
		inside(&x.X)
	case *Logic:
		list(x.X)
	case *Compare:
		inside(&x.X, &x.Y)
	case *Contains:
		inside(&x.X, &x.Y)
	case *Arithmetic:
		inside(&x.X, &x.Y)
	case *FuncCall:
		inside(&x.X)
	case *Method:
		inside(&x.X, &x.Arg)
	case *Placeholder:
		list(x.Values)
	}

	return x
}

// WalkAccesses visits the accesses of an expression, as [WalkExpression] does.
func WalkAccesses(x Expression, visit func(*Access)) {
	WalkExpression(x, func(x Expression) {
		if access, isAccess := x.(*Access); isAccess {
			visit(access)
		}
	})
}

// Walk visits the accesses of the expression. A nil formula has no accesses.
func (f *Formula) Walk(visit func(*Access)) {
	if f != nil {
		WalkAccesses(f.Root, visit)
	}
}

// Walk visits the accesses of a template. A nil template has no accesses.
func (t *Template) Walk(visit func(*Access)) {
	if t != nil {
		walkParts(t.Parts, visit)
	}
}

func walkParts(parts []Part, visit func(*Access)) {
	for _, part := range parts {
		switch part := part.(type) {
		case *Placeholder:
			WalkAccesses(part, visit)
		case *IfPart:
			WalkAccesses(part.Cond, visit)
			walkParts(part.Body, visit)
			walkParts(part.Otherwise, visit)
		case *EachPart:
			WalkAccesses(part.Items, visit)
			walkParts(part.Body, visit)
		}
	}
}

// Walk visits the accesses of a datum. A nil datum has no accesses.
func (d *Datum) Walk(visit func(*Access)) {
	if d == nil {
		return
	}
	d.Text.Walk(visit)
	WalkAccesses(d.Value, visit)
	for _, item := range d.List {
		item.Walk(visit)
	}
	walkFields(d.Fields, visit)
}

func walkFields(fields []DatumField, visit func(*Access)) {
	for _, f := range fields {
		f.Value.Walk(visit)
	}
}

// WalkInputs visits the accesses of everything that is computed before a task starts, except the
// prompt of an agent.
func (t *Task) WalkInputs(visit func(*Access)) {
	t.Input.Walk(visit)
	switch do := t.Do.(type) {
	case *UseFunc:
		do.Params.Walk(visit)
		do.Fields.Walk(visit)
		if do.Fields != nil && do.InputOf(t.Input) == nil {
			visit(do.Previous)
		}
	case *UseBuiltin:
		walkFields(do.Args, visit)
	case *Ask:
		do.Message.Walk(visit)
	case *PassOn:
		do.WaitText.Walk(visit)
	case *Branch:
		do.Key.Walk(visit)
	case *Run, *Receive, *Import, *Machine, *Loop, *Parallel, *Return: // only the input
	}
}

// WalkOwnReads visits the accesses of a task without the pipelines inside of it.
func (t *Task) WalkOwnReads(visit func(*Access)) {
	t.WalkInputs(visit)
	switch do := t.Do.(type) {
	case *Run:
		if do.Step != nil {
			do.Step.Template.Walk(visit)
		}
		if history := do.HistoryAccess(); history != nil {
			visit(history)
		}
	case *Loop:
		do.Exit.Walk(visit)
		do.Result.Walk(visit)
	case *Machine:
		for _, guard := range do.Guards() {
			guard.Formula.Walk(visit)
		}
	}
}

// ReadsData reports whether an expression reads `data`, the value that came with the key of a row.
// A comparison of it is unknown if a member is not of the kind that the comparison needs.
func ReadsData(x Expression) bool {
	reads := false
	WalkAccesses(x, func(access *Access) { reads = reads || access.Root == RootData })

	return reads
}

// IsUntypedData reports whether an expression is a member of `data` whose kind no schema declares.
// As a condition, a text or a number there is unknown.
func IsUntypedData(x Expression) bool { return ReadsData(x) && !hasScalarSchema(x) }

// hasScalarSchema reports whether a schema declares the scalar kind of a member. Only then can a
// text or a number alone be a condition.
func hasScalarSchema(x Expression) bool {
	access, isAccess := x.(*Access)
	if !isAccess || access.Type.Schema == nil || access.Default != nil {
		return false
	}
	switch access.Type.Schema.Kind {
	case SchemaString, SchemaInteger, SchemaNumber:
		return true
	}

	return false
}

// IsNoneTest reports whether a comparison asks whether there is a value at all. The result is never
// unknown.
func IsNoneTest(x *Compare) bool { return ComparedWithNone(x) != nil }

// ComparedWithNone returns the operand that a comparison compares with None. It is nil for any
// other comparison.
func ComparedWithNone(x *Compare) Expression {
	switch {
	case x.Op != OpEqual && x.Op != OpNotEqual:
		return nil
	case isNone(x.Y):
		return x.X
	case isNone(x.X):
		return x.Y
	}

	return nil
}

func isNone(x Expression) bool {
	literal, isLiteral := x.(*Literal)

	return isLiteral && literal.Value == nil
}

// ExpandContains returns `x in [a, b]` as `x == a or x == b`, and its opposite as `not (…)`. It
// returns nil if all items are literals, because then no item can be missing.
func ExpandContains(x *Contains) Expression {
	list, isTuple := x.Y.(*Tuple)
	if !isTuple || !slices.ContainsFunc(list.Items, func(item Expression) bool { return !isLiteral(item) }) {
		return nil
	}
	each := Expression(&Logic{Span: x.Span, Or: true, X: Map(list.Items, func(item Expression) Expression {
		return &Compare{Span: x.Span, Op: OpEqual, X: x.X, Y: item}
	})})
	if x.Not {
		return &Not{Span: x.Span, X: each}
	}

	return each
}

func isLiteral(x Expression) bool {
	_, is := x.(*Literal)

	return is
}

// AccessedValues returns the accesses of an expression, its placeholders where a path has two
// meanings, and what is computed of numbers. Each is there once by its source text, in source
// order. A refused guard is reported with these values.
func AccessedValues(x Expression) []Expression {
	var reads []Expression
	known := map[string]bool{"": true}
	inner := map[Expression]bool{} // operands of arithmetic that is there
	WalkExpression(x, func(x Expression) {
		if a, isArithmetic := x.(*Arithmetic); isArithmetic {
			inner[a.X], inner[a.Y] = true, true
			if inner[a] {
				return
			}
		}
		if written := SourceText(x); !known[written] {
			known[written] = true
			reads = append(reads, x)
		}
	})

	return reads
}

// SourceText returns an expression of [AccessedValues] as written.
func SourceText(x Expression) string {
	switch x := x.(type) {
	case *Access:
		return x.Written
	case *Arithmetic:
		return x.Written
	case *Placeholder:
		for _, value := range x.Values {
			if text := SourceText(value); text != "" {
				return text
			}
		}
	}

	return ""
}
