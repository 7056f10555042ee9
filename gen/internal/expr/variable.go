package expr

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// variable is what leaves of a condition compare with constants.
type variable struct {
	x      ir.Expression
	leaves []ir.Expression
	// numbers and texts are the constants; lists are those that are lists.
	numbers []float64
	texts   []string
	lists   []workflow.Value
	// orderedTexts says that it is asked whether the value is before or behind a text.
	orderedTexts bool
	// large says that a constant is a number that a float64 does not hold.
	large bool
}

// variables are those that leaves are about.
type variables struct {
	inOrder []*variable
	byName  map[string]*variable
}

// meet notes that a leaf compares a name with constants.
func (all *variables) meet(subject, leaf ir.Expression, constants []workflow.Value) {
	name := NameOf(subject)
	if all.byName[name] == nil {
		all.byName[name] = &variable{x: subject}
		all.inOrder = append(all.inOrder, all.byName[name])
	}
	all.byName[name].meet(leaf, constants)
}

// meet notes the constants of a leaf.
func (v *variable) meet(leaf ir.Expression, constants []workflow.Value) {
	const exact = 1 << 53
	v.leaves = append(v.leaves, leaf)
	c, isCompare := leaf.(*ir.Compare)
	ordered := isCompare && c.Op != ir.OpEqual && c.Op != ir.OpNotEqual
	for _, constant := range constants {
		switch {
		case constant.IsNumber():
			n, isWhole := constant.AsInt()
			f, _ := constant.AsNumber()
			v.numbers = append(v.numbers, f)
			v.large = v.large || math.Abs(f) > exact || isWhole && (n > exact || n < -exact)
		case constant.IsText():
			v.texts = append(v.texts, constant.String())
			v.orderedTexts = v.orderedTexts || ordered
		case constant.IsList():
			v.lists = append(v.lists, constant)
		}
	}
}

// tangled reports whether no small set of values represents all: texts that are compared both as texts and as
// numbers, or that are ordered after a method.
func (v *variable) tangled() bool {
	_, isMethod := v.x.(*ir.Method)

	return v.large || v.orderedTexts && (isMethod || len(v.numbers) > 0)
}

// cases returns what the leaves are for the values of the variable, each case once, and a value of
// each.
func (v *variable) cases() (values []workflow.Value, cases [][]workflow.Truth) {
	seen := map[string]bool{}
	for _, value := range v.values() {
		is := v.truths(value)
		if key := fmt.Sprint(is); !seen[key] {
			seen[key] = true
			values, cases = append(values, value), append(cases, is)
		}
	}

	return values, cases
}

// truths returns what the leaves are for a value of the variable.
func (v *variable) truths(value workflow.Value) []workflow.Truth {
	return ir.Map(v.leaves, func(leaf ir.Expression) workflow.Truth {
		return decide(leaf, func(x ir.Expression) (workflow.Value, bool) { return value, isSubject(x) }, noLeaves)
	})
}

// alike returns the values of the variable by what the leaves are for them, in the order of cases.
func (v *variable) alike() (groups [][]workflow.Value) {
	at := map[string]int{}
	for _, value := range v.values() {
		key := fmt.Sprint(v.truths(value))
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], value)
	}

	return groups
}

func noLeaves(ir.Expression) (workflow.Truth, bool) { return workflow.Known(false), false }

// values returns values of which each represents one that the variable can have, as far as the leaves distinguish them.
func (v *variable) values() []workflow.Value {
	if m, ok := v.x.(*ir.Method); ok { // they are changed by it
		method, _ := builtin.MethodByName(m.Name)
		inner := &variable{x: m.X, numbers: v.numbers, texts: v.texts}
		return ir.Map(inner.values(), method.Change)
	}
	access := v.x.(*ir.Access)
	is, schema := builtin.KindsOfExpression(access), cmp.Or(access.Type.Schema, &ir.Schema{Kind: ir.SchemaAny})
	var all []workflow.Value
	if is&builtin.None != 0 {
		all = append(all, workflow.Value{})
	}
	if schema.Enum != nil {
		return append(all, enumerated(schema)...)
	}
	if is&builtin.Bool != 0 {
		all = append(all, workflow.Of(true), workflow.Of(false))
	}
	if is&builtin.Number != 0 {
		all = append(all, v.numbersOf(schema)...)
	}
	if is&builtin.Text != 0 {
		all = append(all, v.textsOf(schema)...)
	}
	if is&builtin.List != 0 { // one with an item, those of the constants, and an empty one
		all = append(append(all, workflow.List(workflow.Object())), v.lists...)
		if schema.MinItems == nil || *schema.MinItems == 0 {
			all = append(all, workflow.List())
		}
	}
	if is&builtin.Object != 0 {
		all = append(all, objectsOf(schema)...)
	}

	return all
}

// enumerated are the values of an enum.
func enumerated(schema *ir.Schema) []workflow.Value {
	var all []workflow.Value
	for _, text := range schema.Enum {
		if value, err := workflow.Parse([]byte(text)); err == nil {
			all = append(all, value)
		}
	}

	return all
}

// objectsOf are an empty object and one with a member, as far as the schema takes them.
func objectsOf(schema *ir.Schema) []workflow.Value {
	var all []workflow.Value
	if !slices.ContainsFunc(schema.Properties, isThere) {
		all = append(all, workflow.Object())
	}
	if schema.Kind == ir.SchemaAny || schema.Kind == ir.SchemaUnion || schema.Additional != nil || len(schema.Properties) > 0 {
		all = append(all, workflow.Object(workflow.Member{Name: "x"}))
	}

	return all
}

// numbersOf are the numbers that the leaves compare with, one between each two neighbours, one below and one above,
// within the bounds of the schema.
func (v *variable) numbersOf(schema *ir.Schema) []workflow.Value {
	points := append([]float64{0}, v.numbers...)
	for _, text := range v.texts {
		if n, ok := workflow.Text(text).ReadNumber(); ok {
			f, _ := n.AsNumber()
			points = append(points, f)
		}
	}
	for _, bound := range []string{schema.Minimum, schema.Maximum, schema.ExclusiveMinimum, schema.ExclusiveMaximum} {
		if f, err := strconv.ParseFloat(bound, 64); err == nil {
			points = append(points, f)
		}
	}
	slices.Sort(points)

	candidates := []float64{points[0] - 1, points[len(points)-1] + 1}
	for i, p := range points {
		candidates = append(candidates, p)
		if i > 0 {
			candidates = append(candidates, points[i-1]+(p-points[i-1])/2)
		}
	}
	if schema.Kind == ir.SchemaInteger {
		candidates = ir.Flat(candidates, func(c float64) []float64 { // the whole numbers at and beside them
			return []float64{math.Floor(c), math.Ceil(c), math.Floor(c) - 1, math.Ceil(c) + 1}
		})
	}

	inside := ir.Where(candidates, func(c float64) bool { return schema.InRange(new(big.Rat).SetFloat64(c)) })

	return ir.Map(inside, workflow.Of[float64])
}

// textsOf are the texts that the leaves compare with, the next one behind each, the first two of all, another one,
// and spellings of the numbers.
func (v *variable) textsOf(schema *ir.Schema) []workflow.Value {
	other := "?"
	for slices.Contains(v.texts, other) {
		other += "?"
	}
	texts := append([]string{"", "\x00", other}, v.texts...)
	for _, text := range v.texts {
		texts = append(texts, text+"\x00")
	}
	if len(v.numbers) > 0 {
		for _, n := range v.numbersOf(&ir.Schema{Kind: ir.SchemaNumber}) {
			spelling := n.String()
			texts = append(texts, spelling)
			for slices.Contains(v.texts, spelling) {
				spelling = " " + spelling
			}
			texts = append(texts, spelling)
		}
	}

	long := ir.Where(texts, func(text string) bool { return text != "" || schema.MinLength == nil || *schema.MinLength == 0 })

	return ir.Map(long, workflow.Text)
}
