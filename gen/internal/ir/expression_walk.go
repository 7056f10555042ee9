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

// WalkAccesses visits the accesses of an expression, as [WalkExpression] does.
func WalkAccesses(x Expression, visit func(*Access)) {
	WalkExpression(x, func(x Expression) {
		if access, isAccess := x.(*Access); isAccess {
			visit(access)
		}
	})
}

// Walk visits the accesses of the expression; none of nil.
func (f *Formula) Walk(visit func(*Access)) {
	if f != nil {
		WalkAccesses(f.Root, visit)
	}
}

// Walk visits the accesses of a template; none of nil.
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
		case *EachPart:
			WalkAccesses(part.Items, visit)
			walkParts(part.Body, visit)
		}
	}
}

// Walk visits the accesses of a datum; none of nil.
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

// WalkGiven visits the accesses of what is computed before a task begins, but for the prompt of an agent.
func (t *Task) WalkGiven(visit func(*Access)) {
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
	case *Run, *PassOn, *Import, *Machine, *Loop, *Parallel, *Return: // no more than the input
	}
}

// WalkReads visits the accesses of a task itself, without those of the pipelines inside of it.
func (t *Task) WalkReads(visit func(*Access)) {
	t.WalkGiven(visit)
	switch do := t.Do.(type) {
	case *Run:
		if do.Step != nil {
			do.Step.Template.Walk(visit)
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

// ReadsData reports whether an expression reads `data`, what came with the key of a row. A comparison of it is unknown also where a
// member is of another kind than the comparison needs.
func ReadsData(x Expression) bool {
	reads := false
	WalkAccesses(x, func(access *Access) { reads = reads || access.Root == RootData })

	return reads
}

// IsOpenData reports whether an expression is a member of `data` of whose kind no schema says anything: as a condition, a text or a
// number there is unknown.
func IsOpenData(x Expression) bool { return ReadsData(x) && !isDeclared(x) }

// isDeclared reports whether a schema says of what scalar kind a member is. Only such a text or number alone is a condition.
func isDeclared(x Expression) bool {
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

// ComparesNone reports whether a comparison asks whether there is a value at all, which is never unknown.
func ComparesNone(x *Compare) bool { return AskedForNone(x) != nil }

// AskedForNone returns what a comparison compares with None; nil for any other one.
func AskedForNone(x *Compare) Expression {
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

// ComparedWithEach returns `x in [a, b]` as `x == a or x == b`, and its opposite as `not (…)`. It is nil where all items are literals:
// no item can be missing then.
func ComparedWithEach(x *Contains) Expression {
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

// Reads returns what an expression reads, each once by how it is written, in source order: accesses, and placeholders where a path
// has two meanings. A refused guard is reported with these values.
func Reads(x Expression) []Expression {
	var reads []Expression
	known := map[string]bool{"": true}
	WalkExpression(x, func(x Expression) {
		if written := Written(x); !known[written] {
			known[written] = true
			reads = append(reads, x)
		}
	})

	return reads
}

// Written is what an expression of [Reads] is called in the source.
func Written(x Expression) string {
	switch x := x.(type) {
	case *Access:
		return x.Written
	case *Placeholder:
		for _, value := range x.Values {
			if text := Written(value); text != "" {
				return text
			}
		}
	}

	return ""
}
