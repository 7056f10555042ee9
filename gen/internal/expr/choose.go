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

// Choose returns what becomes of conditions that are asked one after the other until one holds: which of them can be the first
// that holds, and whether none may hold. Where there are too many cases to look at them together, each is judged by itself.
func Choose(conditions []ir.Expression, known Known) (first []bool, none bool) {
	first, none, ok := together(conditions, known)
	if ok {
		return first, none
	}
	first = make([]bool, len(conditions))
	for i, x := range conditions {
		holds, fails := Judge(x, known)
		first[i] = holds
		if !fails {
			return first, false
		}
	}

	return first, true
}

// together is Choose by a value of each sort that the comparisons distinguish, for each name by itself; ok is false where there are too
// many cases.
func together(conditions []ir.Expression, known Known) (first []bool, none, ok bool) {
	var leaves []ir.Expression
	for _, x := range conditions {
		if leaves = append(leaves, Parts(x)...); len(conditions) > 1 && len(leaves) > maxLeaves {
			return nil, false, false
		}
	}
	groups, ok := groupsOf(leaves, known)
	if !ok {
		return nil, false, false
	}
	cases := 1
	for _, g := range groups {
		if cases *= len(g.cases); cases > maxCases {
			return nil, false, false
		}
	}

	first = make([]bool, len(conditions))
	eachCase(groups, cases, func(decided func(ir.Expression) workflow.Truth) {
		for i, x := range conditions {
			if decided(x) == workflow.Known(true) {
				first[i] = true
				return
			}
		}
		none = true
	})

	return first, none, true
}

// Judge reports whether a condition can hold, and whether it can fail or be unknown. What it calls constant is so; of what has too
// many cases it says that both can be.
func Judge(x ir.Expression, known Known) (canHold, canFail bool) {
	first, none, ok := together([]ir.Expression{x}, known)

	return !ok || first[0], !ok || none
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
		if value, isKnown := constantFor(leaf, known); isKnown {
			groups = append(groups, group{[]ir.Expression{leaf}, [][]workflow.Truth{{workflow.Known(value.True())}}})
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

// constantFor computes an expression without names but those of which the value is known.
func constantFor(x ir.Expression, known Known) (value workflow.Value, ok bool) {
	ok = true
	value = Compute(x, func(x ir.Expression) (workflow.Value, bool) {
		switch x := x.(type) {
		case *ir.Access:
			if known != nil && x.Default == nil {
				if value, isKnown := known(x); isKnown {
					return workflow.Of(value), true
				}
			}
			ok = false
			return workflow.Value{}, true
		case *ir.Placeholder:
			ok = false
			return workflow.Value{}, true
		}
		return workflow.Value{}, false
	})

	return value, ok
}

// fates returns the cases of a leaf that is about several names or none.
func fates(leaf ir.Expression) [][]workflow.Truth {
	if ir.ReadsData(leaf) {
		return [][]workflow.Truth{{workflow.Known(true)}, {workflow.Unknown}, {workflow.Known(false)}}
	}
	switch leaf := leaf.(type) {
	case *ir.Tuple:
		return [][]workflow.Truth{{workflow.Known(true)}}
	case *ir.Compare:
		isEquality := leaf.Op == ir.OpEqual || leaf.Op == ir.OpNotEqual
		if isEquality && !mayEqual(kindsOf(leaf.X), kindsOf(leaf.Y)) {
			return [][]workflow.Truth{{workflow.Known(leaf.Op == ir.OpNotEqual)}}
		}
	case *ir.Contains:
		if items, ok := constantOf(leaf.Y); ok && items.IsList() && items.Len() == 0 {
			return [][]workflow.Truth{{workflow.Known(leaf.Not)}}
		}
	}

	return [][]workflow.Truth{{workflow.Known(true)}, {workflow.Known(false)}}
}

// mayEqual reports whether values of the kinds can be equal: a number and a text can.
func mayEqual(x, y builtin.Kind) bool {
	const either = builtin.Number | builtin.Text

	return x&y != 0 || x&either != 0 && y&either != 0
}
