package ir

// ReadsData reports whether an expression reads `data`, what came with the key of a row. Such an expression has three values: it is
// unknown where a member is missing, null or of another kind than the expression needs, and what is unknown opens no row, negated or
// not. A member compared with None, and the default of .get, say what a missing one means.
func ReadsData(x Expression) bool {
	reads := false
	WalkAccesses(x, func(access *Access) { reads = reads || access.Root == RootData })

	return reads
}

// Declared reports whether a schema says of what scalar kind a member is. Only such a text or number alone is a condition.
func Declared(x Expression) bool {
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

// ComparesNone reports whether a comparison asks whether there is a value at all.
func ComparesNone(x *Compare) bool {
	literal, isLiteral := x.Y.(*Literal)

	return isLiteral && literal.Value == nil && (x.Op == OpEqual || x.Op == OpNotEqual)
}
