package workflow_test

import (
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// The reference compares the decimals that numbers are written as, as fractions, and knows decimal
// texts by a pattern.

var decimal = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`)

// fractionValue returns the value of a number, or of a text that reads as one.
func fractionValue(x tree) *big.Rat {
	switch x := x.(type) {
	case int64:
		return new(big.Rat).SetInt64(x)
	case float64:
		r, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
		return r
	case string:
		text := strings.TrimSpace(x)
		if !decimal.MatchString(text) {
			return nil
		}
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return new(big.Rat).SetInt64(n)
		}
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil
		}
		return fractionValue(f)
	}

	return nil
}

func isNumber(x tree) bool {
	switch x.(type) {
	case int64, float64:
		return true
	}

	return false
}

func isText(x tree) bool {
	_, ok := x.(string)

	return ok
}

func wantEqual(x, y tree) bool {
	if isNumber(x) && isText(y) || isText(x) && isNumber(y) {
		a, b := fractionValue(x), fractionValue(y)
		return a != nil && b != nil && a.Cmp(b) == 0
	}

	return wantSame(x, y)
}

func wantSame(x, y tree) bool {
	switch x := x.(type) {
	case int64, float64:
		return isNumber(y) && fractionValue(x).Cmp(fractionValue(y)) == 0
	case []any:
		y, ok := y.([]any)
		return ok && slices.EqualFunc(x, y, wantSame)
	case object:
		y, ok := y.(object)
		if !ok || len(x) != len(y) {
			return false
		}
		for _, m := range x {
			if !slices.ContainsFunc(y, func(n member) bool { return n.name == m.name && wantSame(m.value, n.value) }) {
				return false
			}
		}
		return true
	}
	switch y.(type) {
	case []any, object:
		return false
	}

	return x == y
}

func wantOrder(x, y tree) (order int, ok bool) {
	a, aIsText := x.(string)
	b, bIsText := y.(string)
	switch {
	case aIsText && bIsText:
		return strings.Compare(a, b), true
	case !isNumber(x) && !isNumber(y), fractionValue(x) == nil, fractionValue(y) == nil:
		return 0, false
	}

	return fractionValue(x).Cmp(fractionValue(y)), true
}

func wantContains(container, item tree) bool {
	switch container := container.(type) {
	case string:
		text, ok := item.(string)
		return ok && strings.Contains(container, text)
	case []any:
		return slices.ContainsFunc(container, func(x tree) bool { return wantEqual(x, item) })
	case object:
		return slices.ContainsFunc(container, func(m member) bool { return m.name == item })
	}

	return false
}

func checkComparisons(t *testing.T, x, y tree) {
	t.Helper()
	a, b := valueOf(x), valueOf(y)
	order, ordered := wantOrder(x, y)
	for _, c := range []struct {
		op        string
		got, want bool
	}{
		{"==", a.Equal(b), wantEqual(x, y)},
		{"<", a.Less(b), ordered && order < 0},
		{"<=", a.LessEqual(b), ordered && order <= 0},
		{"contains", a.Contains(b), wantContains(x, y)},
		{"in a list with", workflow.List(workflow.Value{}, b).Contains(a), x == nil || wantEqual(y, x)},
	} {
		if c.got != c.want {
			t.Errorf("%#v %s %#v: got %v", x, c.op, y, c.got)
		}
	}
	if a.Equal(b) != b.Equal(a) {
		t.Errorf("%#v == %#v is not == the other way round", x, y)
	}
}

func TestComparisonsOfScalars(t *testing.T) {
	all := append([]tree{nil, true, false, []any{}, object{}}, someNumbers...)
	for _, text := range someTexts {
		all = append(all, text)
	}
	for _, x := range all {
		for _, y := range all {
			checkComparisons(t, x, y)
		}
	}
}

func TestComparisonsOfRandomValues(t *testing.T) {
	equal := 0
	repeat(6_000, func(r *rand.Rand) {
		x, y := randomTree(r, 3), randomTree(r, 3)
		if r.IntN(2) == 0 {
			y = shuffled(r, x)
		}
		checkComparisons(t, x, y)
		if wantEqual(x, y) {
			equal++
		}
	})
	if equal < 1_500 || equal > 4_500 {
		t.Errorf("%d of the pairs are equal: the test sees little", equal)
	}
}

// shuffled returns x with the members of its objects in another order, and sometimes with one value
// changed.
func shuffled(r *rand.Rand, x tree) tree {
	switch x := x.(type) {
	case []any:
		items := make([]any, len(x))
		for i := range x {
			items[i] = shuffled(r, x[i])
		}
		return items
	case object:
		members := make(object, len(x))
		for i, from := range r.Perm(len(x)) {
			members[i] = member{x[from].name, shuffled(r, x[from].value)}
		}
		return members
	}
	if r.IntN(30) == 0 {
		return randomScalar(r)
	}

	return x
}

// TestTextsThatReadAsNumbers: random texts of what numbers are written with.
func TestTextsThatReadAsNumbers(t *testing.T) {
	const alphabet = "00159+-.eE_x "
	numbers := 0
	repeat(15_000, func(r *rand.Rand) {
		text := make([]byte, r.IntN(6))
		for i := range text {
			text[i] = alphabet[r.IntN(len(alphabet))]
		}
		n := someNumbers[r.IntN(len(someNumbers))]
		if f := fractionValue(string(text)); f != nil {
			numbers++
			n, _ = f.Float64()
		}
		checkComparisons(t, string(text), n)
	})
	if numbers < 1_500 {
		t.Errorf("only %d texts were numbers", numbers)
	}
}

// TestOrderIsTotalOnNumbers: of two numbers exactly one of <, == and > holds, and <= is what
// follows.
func TestOrderIsTotalOnNumbers(t *testing.T) {
	for _, x := range someNumbers {
		for _, y := range someNumbers {
			a, b := valueOf(x), valueOf(y)
			holds := 0
			for _, one := range []bool{a.Less(b), a.Equal(b), b.Less(a)} {
				if one {
					holds++
				}
			}
			if holds != 1 || a.LessEqual(b) == b.Less(a) {
				t.Errorf("%v and %v are not ordered", x, y)
			}
		}
	}
}

func TestTruth(t *testing.T) {
	for _, x := range []tree{nil, false, int64(0), 0.0, "", []any{}, object{}} {
		if valueOf(x).True() {
			t.Errorf("%#v holds", x)
		}
	}
	for _, x := range []tree{true, int64(-1), 0.5, 5e-324, " ", "False", "0", []any{nil}, object{{"", nil}}} {
		if !valueOf(x).True() {
			t.Errorf("%#v does not hold", x)
		}
	}
}

func TestMethodsOfTexts(t *testing.T) {
	text := workflow.Text(" Straße É ")
	for got, want := range map[string]string{
		text.Lower().JSON():                                      `" straße é "`,
		text.Upper().JSON():                                      `" STRAßE É "`,
		text.Strip().JSON():                                      `"Straße É"`,
		workflow.Text("\t a\u00a0\n").Strip().JSON():             `"a"`,
		workflow.Of(text.StartsWith(workflow.Text(" S"))).JSON(): "true",
	} {
		if got != want {
			t.Errorf("got %s, expected %s", got, want)
		}
	}
	hello := workflow.Text("hello")
	if !hello.StartsWith(workflow.Text("")) || !hello.EndsWith(workflow.Text("lo")) || hello.EndsWith(workflow.Text("hell")) {
		t.Error("the ends of a text are not its own")
	}
	for _, x := range []tree{nil, true, int64(5), []any{"a"}, object{{"a", "a"}}} {
		v := valueOf(x)
		if !v.Lower().IsNone() || !v.Upper().IsNone() || !v.Strip().IsNone() {
			t.Errorf("%#v has a text", x)
		}
		if v.StartsWith(workflow.Text("")) || v.EndsWith(workflow.Text("")) || hello.StartsWith(v) || hello.EndsWith(v) {
			t.Errorf("%#v has ends, or is one", x)
		}
	}
}
