package expr

import (
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Known returns the value of a name, if it is known. A nil Known knows no value.
type Known func(*ir.Access) (value any, ok bool)

// KeyIs returns a Known of the key alone.
func KeyIs(key string) Known {
	return func(x *ir.Access) (any, bool) { return key, x.Root == ir.RootKey && len(x.Path) == 0 }
}

// Outcomes are the possible results of evaluating conditions in order until one holds.
type Outcomes struct {
	// First reports for each condition whether it can be the first that holds.
	First []bool
	// None is true if it is possible that no condition holds.
	None bool
	// Blocked is true if a constant condition, such as a row without a guard, may be skipped
	// because an earlier condition is unknown.
	Blocked bool
}

// Choose returns the possible results of conditions. With too many cases it judges each condition
// by itself.
func Choose(conditions []ir.Expression, known Known) Outcomes {
	outcomes, ok := chooseTogether(conditions, known)
	if ok {
		return outcomes
	}
	outcomes = Outcomes{First: make([]bool, len(conditions))}
	canBeUnknown := false
	for i, x := range conditions {
		holds, fails := Judge(x, known)
		outcomes.First[i] = holds
		if !fails {
			outcomes.Blocked = canBeUnknown
			return outcomes
		}
		canBeUnknown = canBeUnknown || builtin.CanBeUnknown(x)
	}
	outcomes.None = true

	return outcomes
}

// chooseTogether is Choose with one value of each kind that the comparisons distinguish. It returns
// false if there are too many cases.
func chooseTogether(conditions []ir.Expression, known Known) (outcomes Outcomes, ok bool) {
	var leaves []ir.Expression
	for _, x := range conditions {
		leaves = append(leaves, Parts(x)...)
		if len(conditions) > 1 && len(leaves) > maxLeaves {
			return Outcomes{}, false
		}
	}
	groups, ok := groupsOf(leaves, known)
	if !ok {
		return Outcomes{}, false
	}
	cases := 1
	for _, g := range groups {
		cases *= len(g.cases)
		if cases > maxCases {
			return Outcomes{}, false
		}
	}

	outcomes.First = make([]bool, len(conditions))
	eachCase(groups, cases, func(decided func(ir.Expression) workflow.Truth) {
		switch i, isBlocked := firstHolding(conditions, decided); {
		case isBlocked:
			outcomes.Blocked = true
		case i < len(conditions):
			outcomes.First[i] = true
		default:
			outcomes.None = true
		}
	})

	return outcomes, true
}

// firstHolding returns the index of the first condition that holds, or their number. isBlocked is
// true if that condition is constant and skipped, because an earlier one is unknown.
func firstHolding(conditions []ir.Expression, decided func(ir.Expression) workflow.Truth) (first int, isBlocked bool) {
	isUnknown := false
	for i, x := range conditions {
		_, isConstant := x.(*ir.Literal)
		switch t := decided(x); {
		case t.Holds():
			return i, isConstant && isUnknown
		case t == workflow.Unknown:
			isUnknown = true
		}
	}

	return len(conditions), false
}

// Judge reports whether a condition can hold, and whether it can fail or be unknown. A constant
// result is exact. With too many cases both results are true.
func Judge(x ir.Expression, known Known) (canHold, canFail bool) {
	outcomes, ok := chooseTogether([]ir.Expression{x}, known)

	return !ok || outcomes.First[0], !ok || outcomes.None
}

// maxCases limits the cases of conditions, and maxLeaves the parts of several conditions.
const (
	maxCases  = 1024
	maxLeaves = 48
)

// eachCase calls visit for each case, with a function that evaluates conditions in it.
func eachCase(groups []group, cases int, visit func(decided func(ir.Expression) workflow.Truth)) {
	truths := map[ir.Expression]workflow.Truth{}
	known := func(x ir.Expression) (workflow.Truth, bool) {
		t, ok := truths[x]
		return t, ok
	}
	decided := func(x ir.Expression) workflow.Truth { return decide(x, noValues, known) }
	for n := range cases {
		for _, g := range groups {
			for i, leaf := range g.leaves {
				truths[leaf] = g.cases[n%len(g.cases)][i]
			}
			n /= len(g.cases)
		}
		visit(decided)
	}
}

func noValues(ir.Expression) (workflow.Value, bool) { return workflow.Value{}, false }

// Parts returns the parts of a condition that `and`, `or` and `not` combine.
func Parts(x ir.Expression) []ir.Expression {
	switch x := x.(type) {
	case *ir.Not:
		return Parts(x.X)
	case *ir.Logic:
		return ir.FlatMap(x.X, Parts)
	}

	return []ir.Expression{x}
}

// group has the leaves that depend on one variable, and their truth values in each case.
type group struct {
	leaves []ir.Expression
	cases  [][]workflow.Truth
}

// addSame adds a leaf that always has the value of the first one.
func (g *group) addSame(leaf ir.Expression) {
	g.leaves = append(g.leaves, leaf)
	for i, c := range g.cases {
		g.cases[i] = append(c, c[0])
	}
}

// groupsOf groups leaves by their variable. Leaves with the same source text have the same value.
// It returns false if a variable has too many values.
func groupsOf(leaves []ir.Expression, known Known) (groups []group, ok bool) {
	all, byText := variables{byName: map[string]*variable{}}, map[string]int{}
	for _, leaf := range leaves {
		if value, isKnown := decideConstant(leaf, known); isKnown {
			groups = append(groups, group{[]ir.Expression{leaf}, [][]workflow.Truth{{value}}})
			continue
		}
		subject, constants := SubjectOf(leaf)
		if subject == nil {
			text := leaf.At().Text()
			if at, isKnown := byText[text]; isKnown && text != "" {
				groups[at].addSame(leaf)
				continue
			}
			byText[text] = len(groups)
			groups = append(groups, group{[]ir.Expression{leaf}, casesOf(leaf)})
			continue
		}
		all.addLeaf(subject, leaf, constants)
	}
	for _, v := range all.inOrder {
		if v.isTangled() {
			return nil, false
		}
		_, cases := v.distinctCases()
		groups = append(groups, group{v.leaves, cases})
	}

	return groups, true
}

// SubjectOf returns the expression that a leaf compares with constants, and the constants. It
// returns nil for another form.
func SubjectOf(leaf ir.Expression) (subject ir.Expression, constants []workflow.Value) {
	switch leaf := leaf.(type) {
	case *ir.Compare:
		if y, ok := constantOf(leaf.Y); ok && isSubject(leaf.X) {
			return leaf.X, []workflow.Value{y}
		}
		if x, ok := constantOf(leaf.X); ok && isSubject(leaf.Y) {
			return leaf.Y, []workflow.Value{x}
		}
	case *ir.Contains:
		if y, ok := constantOf(leaf.Y); ok && isSubject(leaf.X) && y.IsList() {
			return leaf.X, itemsOf(y)
		}
	default:
		if isSubject(leaf) {
			return leaf, nil
		}
	}

	return nil, nil
}

func itemsOf(list workflow.Value) []workflow.Value {
	var items []workflow.Value
	for _, item := range list.Items() {
		items = append(items, item)
	}

	return items
}

// isSubject reports whether x is a name, or a name in lower or upper case or stripped.
func isSubject(x ir.Expression) bool {
	switch x := x.(type) {
	case *ir.Access:
		return x.Default == nil && x.Root != ir.RootSteps
	case *ir.Method:
		return x.Arg == nil && isSubject(x.X)
	}

	return false
}

// NameOf returns a key for a subject. Subjects with equal keys have the same value.
func NameOf(x ir.Expression) string {
	if m, ok := x.(*ir.Method); ok {
		return m.Name + " " + NameOf(m.X)
	}
	access := x.(*ir.Access)
	key := string(rune(access.Root))
	if access.Output != nil {
		key += access.Output.Name.Value
	}
	for _, field := range access.Path {
		key += "\x00" + field.Name.Value
	}

	return key
}

// constantOf evaluates an expression without names; ok is false if it has one.
func constantOf(x ir.Expression) (value workflow.Value, ok bool) { return computeConstant(x, nil) }

// decideConstant evaluates a condition whose names are known; ok is false if it has others.
func decideConstant(leaf ir.Expression, known Known) (t workflow.Truth, ok bool) {
	ok = true
	t = decide(leaf, constantsOnly(known, &ok), noTruths)

	return t, ok
}

// computeConstant evaluates an expression whose names are known; ok is false if it has others.
func computeConstant(x ir.Expression, known Known) (value workflow.Value, ok bool) {
	ok = true
	value = Compute(x, constantsOnly(known, &ok))

	return value, ok
}

// constantsOnly returns the values of known names. It sets ok to false if another name is read, or
// one that has a default and no value, where it matters whether the name is there.
func constantsOnly(known Known, ok *bool) valueFunc {
	return func(x ir.Expression) (workflow.Value, bool) {
		switch x := x.(type) {
		case *ir.Access:
			if known != nil {
				value, isKnown := known(x)
				is := workflow.Of(value)
				if isKnown && (x.Default == nil || !is.IsNone()) {
					return is, true
				}
			}
			*ok = false
			return workflow.Value{}, true
		case *ir.Placeholder:
			return computePlaceholder(x, constantsOnly(known, ok)), true
		}
		return workflow.Value{}, false
	}
}

// casesOf returns the possible values of a leaf with several names or none.
func casesOf(leaf ir.Expression) [][]workflow.Truth {
	cases := [][]workflow.Truth{{workflow.Known(true)}, {workflow.Known(false)}}
	switch leaf := leaf.(type) {
	case *ir.Tuple:
		cases = cases[:1]
	case *ir.Compare:
		isEquality := leaf.Op == ir.OpEqual || leaf.Op == ir.OpNotEqual
		holds, isDecided := decideByBounds(leaf)
		switch {
		case isEquality && !mayEqual(builtin.KindsOfExpression(leaf.X), builtin.KindsOfExpression(leaf.Y)):
			cases = [][]workflow.Truth{{workflow.Known(leaf.Op == ir.OpNotEqual)}}
		case isDecided:
			cases = [][]workflow.Truth{{workflow.Known(holds)}}
		}
	case *ir.Contains:
		if items, ok := constantOf(leaf.Y); ok && items.IsList() && items.Len() == 0 {
			cases = [][]workflow.Truth{{workflow.Known(leaf.Not)}}
		}
	}
	if builtin.CanBeUnknown(leaf) {
		cases = append(cases, []workflow.Truth{workflow.Unknown})
	}

	return cases
}

// decideByBounds compares two numbers whose bounds are known. ok is false if the bounds do not
// decide.
func decideByBounds(c *ir.Compare) (holds, ok bool) {
	x, y := builtin.IntervalOf(c.X), builtin.IntervalOf(c.Y)
	const number = builtin.Number | builtin.None
	isNumber := (builtin.KindsOfExpression(c.X)|builtin.KindsOfExpression(c.Y))&^number == 0
	if !isNumber || !x.IsExact() && !y.IsExact() {
		return false, false
	}
	isLess, isGreater := x.High < y.Low, x.Low > y.High
	isAtMost, isAtLeast := x.High <= y.Low, x.Low >= y.High
	switch c.Op {
	case ir.OpEqual:
		return false, isLess || isGreater
	case ir.OpNotEqual:
		return true, isLess || isGreater
	case ir.OpLess:
		return isLess, isLess || isAtLeast
	case ir.OpLessEqual:
		return isAtMost, isAtMost || isGreater
	case ir.OpGreater:
		return isGreater, isGreater || isAtMost
	}

	return isAtLeast, isAtLeast || isLess
}

// mayEqual reports whether values of the kinds can be equal: a number and a text can.
func mayEqual(x, y builtin.Kind) bool {
	const either = builtin.Number | builtin.Text

	return x&y != 0 || x&either != 0 && y&either != 0
}
