package expr

import (
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// Known returns the values of names that are known; a nil Known knows none.
type Known func(*ir.Access) (value any, ok bool)

// KeyIs returns a Known of the key alone.
func KeyIs(key string) Known {
	return func(x *ir.Access) (any, bool) { return key, x.Root == ir.RootKey && len(x.Path) == 0 }
}

// Outcomes are what can become of conditions that are asked one after the other until one holds.
type Outcomes struct {
	// First says of each condition whether it can be the first that holds.
	First []bool
	// None says that perhaps none holds.
	None bool
	// Blocked says that perhaps a constant condition, as a row without a guard has it, is not chosen because one before it is unknown.
	Blocked bool
}

// Choose returns what can become of conditions. Where there are too many cases to look at them together, each is judged by itself.
func Choose(conditions []ir.Expression, known Known) Outcomes {
	outcomes, ok := together(conditions, known)
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

// together is Choose by a value of each sort that the comparisons distinguish, for each name by itself; ok is false where there are too
// many cases.
func together(conditions []ir.Expression, known Known) (outcomes Outcomes, ok bool) {
	var leaves []ir.Expression
	for _, x := range conditions {
		if leaves = append(leaves, Parts(x)...); len(conditions) > 1 && len(leaves) > maxLeaves {
			return Outcomes{}, false
		}
	}
	groups, ok := groupsOf(leaves, known)
	if !ok {
		return Outcomes{}, false
	}
	cases := 1
	for _, g := range groups {
		if cases *= len(g.cases); cases > maxCases {
			return Outcomes{}, false
		}
	}

	outcomes.First = make([]bool, len(conditions))
	eachCase(groups, cases, func(decided func(ir.Expression) workflow.Truth) {
		switch i, isBlocked := firstThatHolds(conditions, decided); {
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

// firstThatHolds returns the first condition that holds; their number if none does. isBlocked says that one is constant and is not
// chosen, because one before it is unknown.
func firstThatHolds(conditions []ir.Expression, decided func(ir.Expression) workflow.Truth) (first int, isBlocked bool) {
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

// Judge reports whether a condition can hold, and whether it can fail or be unknown. What it calls constant is so; of what has too
// many cases it says that both can be.
func Judge(x ir.Expression, known Known) (canHold, canFail bool) {
	outcomes, ok := together([]ir.Expression{x}, known)

	return !ok || outcomes.First[0], !ok || outcomes.None
}

// maxCases bounds how many cases of conditions are looked at, maxLeaves how many parts of several conditions.
const (
	maxCases  = 1024
	maxLeaves = 48
)

// eachCase calls visit for each case, with what conditions are in it.
func eachCase(groups []group, cases int, visit func(decided func(ir.Expression) workflow.Truth)) {
	truths := map[ir.Expression]workflow.Truth{}
	known := func(x ir.Expression) (workflow.Truth, bool) {
		t, ok := truths[x]
		return t, ok
	}
	decided := func(x ir.Expression) workflow.Truth { return decide(x, nothingKnown, known) }
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

func nothingKnown(ir.Expression) (workflow.Value, bool) { return workflow.Value{}, false }

// Parts returns the parts of a condition that `and`, `or` and `not` combine.
func Parts(x ir.Expression) []ir.Expression {
	switch x := x.(type) {
	case *ir.Not:
		return Parts(x.X)
	case *ir.Logic:
		return ir.Flat(x.X, Parts)
	}

	return []ir.Expression{x}
}

// group are leaves about one variable, and the cases that there are: for each which of the leaves hold.
type group struct {
	leaves []ir.Expression
	cases  [][]workflow.Truth
}

// addSame adds a leaf that is always what the first one is.
func (g *group) addSame(leaf ir.Expression) {
	g.leaves = append(g.leaves, leaf)
	for i, c := range g.cases {
		g.cases[i] = append(c, c[0])
	}
}

// groupsOf sorts leaves by what they are about; of those that are written alike all are the same. ok is false if the values of a
// variable are too many.
func groupsOf(leaves []ir.Expression, known Known) (groups []group, ok bool) {
	all, byText := variables{byName: map[string]*variable{}}, map[string]int{}
	for _, leaf := range leaves {
		if value, isKnown := truthFor(leaf, known); isKnown {
			groups = append(groups, group{[]ir.Expression{leaf}, [][]workflow.Truth{{value}}})
			continue
		}
		subject, constants := About(leaf)
		if subject == nil {
			text := leaf.At().Text()
			if at, isKnown := byText[text]; isKnown && text != "" {
				groups[at].addSame(leaf)
				continue
			}
			byText[text] = len(groups)
			groups = append(groups, group{[]ir.Expression{leaf}, fates(leaf)})
			continue
		}
		all.meet(subject, leaf, constants)
	}
	for _, v := range all.inOrder {
		if v.tangled() {
			return nil, false
		}
		_, cases := v.cases()
		groups = append(groups, group{v.leaves, cases})
	}

	return groups, true
}

// About returns what a leaf compares with constants, and those; nil if it is not of that form.
func About(leaf ir.Expression) (subject ir.Expression, constants []workflow.Value) {
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

// NameOf returns a key that differs for each subject: what two places read under one name is the same value.
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

// constantOf computes an expression without names; ok is false if it has one.
func constantOf(x ir.Expression) (value workflow.Value, ok bool) { return constantFor(x, nil) }

// truthFor decides a condition without names but those of which the value is known; ok is false if it has others.
func truthFor(leaf ir.Expression, known Known) (t workflow.Truth, ok bool) {
	ok = true
	t = decide(leaf, constantsOnly(known, &ok), noLeaves)

	return t, ok
}

// constantFor computes an expression without names but those of which the value is known; ok is false if it has others.
func constantFor(x ir.Expression, known Known) (value workflow.Value, ok bool) {
	ok = true
	value = Compute(x, constantsOnly(known, &ok))

	return value, ok
}

// constantsOnly returns the values of names that are known. It sets ok to false where another one is read.
func constantsOnly(known Known, ok *bool) values {
	return func(x ir.Expression) (workflow.Value, bool) {
		switch x := x.(type) {
		case *ir.Access:
			if known != nil && x.Default == nil {
				if value, isKnown := known(x); isKnown {
					return workflow.Of(value), true
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

// fates returns the cases of a leaf that is about several names or none.
func fates(leaf ir.Expression) [][]workflow.Truth {
	cases := [][]workflow.Truth{{workflow.Known(true)}, {workflow.Known(false)}}
	switch leaf := leaf.(type) {
	case *ir.Tuple:
		cases = cases[:1]
	case *ir.Compare:
		isEquality := leaf.Op == ir.OpEqual || leaf.Op == ir.OpNotEqual
		if isEquality && !mayEqual(builtin.KindsOfExpression(leaf.X), builtin.KindsOfExpression(leaf.Y)) {
			cases = [][]workflow.Truth{{workflow.Known(leaf.Op == ir.OpNotEqual)}}
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

// mayEqual reports whether values of the kinds can be equal: a number and a text can.
func mayEqual(x, y builtin.Kind) bool {
	const either = builtin.Number | builtin.Text

	return x&y != 0 || x&either != 0 && y&either != 0
}
