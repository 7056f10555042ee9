package expr

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// variable is what leaves of a condition compare with constants.
type variable struct {
	x      ir.Expression
	leaves []ir.Expression
	// numbers and texts are the constants; lists are those that are lists.
	numbers []float64
	texts   []string
	lists   []any
	// orderedTexts says that it is asked whether the value stands before or behind a text.
	orderedTexts bool
	// large says that a constant is a number that a float64 does not hold.
	large bool
}

// meet writes down the constants of a leaf.
func (v *variable) meet(leaf ir.Expression, constants []any) {
	c, isCompare := leaf.(*ir.Compare)
	ordered := isCompare && c.Op != ir.OpEqual && c.Op != ir.OpNotEqual
	for _, constant := range constants {
		switch constant := constant.(type) {
		case int64:
			v.numbers = append(v.numbers, float64(constant))
			v.large = v.large || constant > 1<<53 || constant < -1<<53
		case float64:
			v.numbers = append(v.numbers, constant)
			v.large = v.large || constant > 1<<53 || constant < -1<<53
		case string:
			v.texts = append(v.texts, constant)
			v.orderedTexts = v.orderedTexts || ordered
		case []any:
			v.lists = append(v.lists, constant)
		}
	}
}

// tangled reports whether no small set of values stands for all: texts that are compared both as texts and as
// numbers, or that are ordered after a method.
func (v *variable) tangled() bool {
	_, isMethod := v.x.(*ir.Method)

	return v.large || v.orderedTexts && (isMethod || len(v.numbers) > 0)
}

// group returns the cases that the values of the variable make.
func (v *variable) group() group {
	g := group{leaves: v.leaves}
	seen := map[string]bool{}
	for _, value := range v.values() {
		is := make([]ternary, len(v.leaves))
		for i, leaf := range v.leaves {
			is[i] = decide(leaf, func(x ir.Expression) (any, bool) { return value, isSubject(x) }, noLeaves)
		}
		if key := fmt.Sprint(is); !seen[key] {
			seen[key] = true
			g.cases = append(g.cases, is)
		}
	}

	return g
}

func noLeaves(ir.Expression) (ternary, bool) { return fails, false }

// values returns values of which one stands for each that the variable can have, as far as the leaves can tell.
func (v *variable) values() []any {
	if m, ok := v.x.(*ir.Method); ok {
		return v.changed(m)
	}
	access := v.x.(*ir.Access)
	is, schema := kindsOf(access), access.Type.Schema
	if schema == nil {
		schema = &ir.Schema{Kind: ir.SchemaAny}
	}
	var all []any
	if is&kindNone != 0 {
		all = append(all, nil)
	}
	if schema.Enum != nil {
		return append(all, enumerated(schema)...)
	}
	if is&kindBool != 0 {
		all = append(all, true, false)
	}
	if is&kindNumber != 0 {
		all = append(all, v.numbersOf(schema)...)
	}
	if is&kindText != 0 {
		all = append(all, v.textsOf(schema)...)
	}
	if is&kindList != 0 {
		all = append(all, v.listsOf(schema)...)
	}
	if is&kindObject != 0 {
		all = append(all, objectsOf(schema)...)
	}

	return all
}

// changed are the values of a name behind a method.
func (v *variable) changed(m *ir.Method) []any {
	inner := &variable{x: m.X, numbers: v.numbers, texts: v.texts}
	var all []any
	for _, value := range inner.values() {
		all = append(all, method(m.Name, value, nil))
	}

	return all
}

// enumerated are the values of an enum.
func enumerated(schema *ir.Schema) []any {
	var all []any
	for _, text := range schema.Enum {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			continue
		}
		if n, ok := value.(float64); ok && n == float64(int64(n)) {
			value = int64(n)
		}
		all = append(all, value)
	}

	return all
}

// listsOf are an empty list, one with an item, and those of the constants.
func (v *variable) listsOf(schema *ir.Schema) []any {
	all := append([]any{[]any{map[string]any{}}}, v.lists...)
	if schema.MinItems == nil || *schema.MinItems == 0 {
		all = append(all, []any{})
	}

	return all
}

// objectsOf are an empty object and one with a member, as far as the schema takes them.
func objectsOf(schema *ir.Schema) []any {
	var all []any
	if !slices.ContainsFunc(schema.Properties, isThere) {
		all = append(all, map[string]any{})
	}
	if schema.Kind == ir.SchemaAny || schema.Additional != nil || len(schema.Properties) > 0 {
		all = append(all, map[string]any{"x": nil})
	}

	return all
}
