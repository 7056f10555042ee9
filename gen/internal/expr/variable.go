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
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// variable is an expression that leaves of a condition compare with constants.
type variable struct {
	x      ir.Expression
	leaves []ir.Expression
	// numbers, texts and lists are the constants.
	numbers []float64
	texts   []string
	lists   []workflow.Value
	// orderedTexts is true if a leaf orders the value and a text.
	orderedTexts bool
	// large is true if a float64 cannot hold a constant.
	large bool
}

// variables are the variables of leaves.
type variables struct {
	inOrder []*variable
	byName  map[string]*variable
}

// addLeaf adds a leaf that compares a name with constants.
func (all *variables) addLeaf(subject, leaf ir.Expression, constants []workflow.Value) {
	name := NameOf(subject)
	if all.byName[name] == nil {
		all.byName[name] = &variable{x: subject}
		all.inOrder = append(all.inOrder, all.byName[name])
	}
	all.byName[name].addLeaf(leaf, constants)
}

// addLeavesOfCopies adds the leaves of copies to the names of which they are copies.
func (all *variables) addLeavesOfCopies(sources func(*ir.Access) []*ir.Access) {
	for queue := slices.Clone(all.inOrder); len(queue) > 0; queue = queue[1:] {
		for _, access := range sources(queue[0].x.(*ir.Access)) {
			source := all.byName[NameOf(access)]
			if source != nil && source.addLeavesOf(queue[0]) {
				queue = append(queue, source)
			}
		}
	}
}

// addLeavesOf adds the leaves of a copy, unless too few values would represent all then. hasGrown
// reports whether some were missing.
func (v *variable) addLeavesOf(other *variable) (hasGrown bool) {
	all := *v
	for _, leaf := range other.leaves {
		if !slices.Contains(all.leaves, leaf) {
			_, constants := SubjectOf(leaf)
			all.addLeaf(leaf, constants)
		}
	}
	if len(all.leaves) == len(v.leaves) || all.isTangled() {
		return false
	}
	*v = all

	return true
}

// addLeaf adds a leaf with its constants.
func (v *variable) addLeaf(leaf ir.Expression, constants []workflow.Value) {
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
			isExact := math.Abs(f) <= exact && (!isWhole || -exact <= n && n <= exact)
			v.large = v.large || !isExact
		case constant.IsText():
			v.texts = append(v.texts, constant.String())
			v.orderedTexts = v.orderedTexts || ordered
		case constant.IsList():
			v.lists = append(v.lists, constant)
		}
	}
}

// isTangled reports whether no small set of values represents all: texts that are compared both as
// texts and as numbers, or that are ordered after a method.
func (v *variable) isTangled() bool {
	_, isMethod := v.x.(*ir.Method)

	return v.large || v.orderedTexts && (isMethod || len(v.numbers) > 0)
}

// distinctCases returns the truth values of the leaves for the values of the variable, each
// combination once, with a value for each.
func (v *variable) distinctCases() (values []workflow.Value, cases [][]workflow.Truth) {
	seen := map[string]bool{}
	for _, value := range v.sampleValues() {
		if key := v.findCase(value); !seen[key] {
			seen[key] = true
			values, cases = append(values, value), append(cases, v.truthsFor(value))
		}
	}

	return values, cases
}

// truthsFor returns the truth values of the leaves for a value of the variable.
func (v *variable) truthsFor(value workflow.Value) []workflow.Truth {
	return ir.Map(v.leaves, func(leaf ir.Expression) workflow.Truth {
		return decide(leaf, func(x ir.Expression) (workflow.Value, bool) { return value, isSubject(x) }, noTruths)
	})
}

// findCase returns a key that is equal for values that the leaves do not distinguish.
func (v *variable) findCase(value workflow.Value) string { return fmt.Sprint(v.truthsFor(value)) }

// groupAlike groups the values of the variable by the truth values of the leaves, in the order of
// distinctCases.
func (v *variable) groupAlike() (groups [][]workflow.Value) {
	at := map[string]int{}
	for _, value := range v.sampleValues() {
		key := v.findCase(value)
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

func noTruths(ir.Expression) (workflow.Truth, bool) { return workflow.Known(false), false }

// sampleValues returns a value for each group of values that the leaves distinguish.
func (v *variable) sampleValues() []workflow.Value {
	if m, ok := v.x.(*ir.Method); ok { // the method changes the values
		method, _ := builtin.MethodByName(m.Name)
		inner := &variable{x: m.X, numbers: v.numbers, texts: v.texts}
		return ir.Map(inner.sampleValues(), method.Change)
	}
	access := v.x.(*ir.Access)
	is, schema := builtin.KindsOfExpression(access), cmp.Or(access.Type.Schema, &ir.Schema{Kind: ir.SchemaAny})
	var all []workflow.Value
	if is&builtin.None != 0 {
		all = append(all, workflow.Value{})
	}
	if schema.Enum != nil {
		return append(all, enumValues(schema)...)
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
	if is&builtin.List != 0 { // with an item, as the constants, and empty
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

// enumValues returns the values of an enum.
func enumValues(schema *ir.Schema) []workflow.Value {
	var all []workflow.Value
	for _, text := range schema.Enum {
		if value, err := workflow.Parse([]byte(text)); err == nil {
			all = append(all, value)
		}
	}

	return all
}

// objectsOf returns an empty object and one with a member, if the schema allows them.
func objectsOf(schema *ir.Schema) []workflow.Value {
	var all []workflow.Value
	if !slices.ContainsFunc(schema.Properties, isAlwaysPresent) {
		all = append(all, workflow.Object())
	}
	isOpen := schema.Kind == ir.SchemaAny || schema.Kind == ir.SchemaUnion
	if isOpen || schema.Additional != nil || len(schema.Properties) > 0 {
		all = append(all, workflow.Object(workflow.Member{Name: "x"}))
	}

	return all
}

// numbersOf returns the numbers that the leaves compare with, one between each two neighbours, one
// below and one above, within the bounds of the schema.
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
		candidates = ir.FlatMap(candidates, func(c float64) []float64 { // the integers near them
			return []float64{math.Floor(c), math.Ceil(c), math.Floor(c) - 1, math.Ceil(c) + 1}
		})
	}

	inside := ir.Where(candidates, func(c float64) bool { return schema.InRange(new(big.Rat).SetFloat64(c)) })

	return ir.Map(inside, workflow.Of[float64])
}

// textsOf returns the texts that the leaves compare with, the next one after each, the first two of
// all, another one, and spellings of the numbers.
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
