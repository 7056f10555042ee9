package workflow_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// tree is a value as a test writes it down: nil, bool, int64, float64, string, []any or object.
type tree = any

// object has members in their order.
type object []member

type member struct {
	name  string
	value tree
}

// valueOf builds the value of a tree through the constructors.
func valueOf(x tree) workflow.Value {
	switch x := x.(type) {
	case []any:
		items := make([]workflow.Value, len(x))
		for i := range x {
			items[i] = valueOf(x[i])
		}
		return workflow.List(items...)
	case object:
		members := make([]workflow.Member, len(x))
		for i := range x {
			members[i] = workflow.Member{Name: x[i].name, Value: valueOf(x[i].value)}
		}
		return workflow.Object(members...)
	}

	return workflow.Of(x)
}

// treeOf reads a value back through its accessors.
func treeOf(v workflow.Value) tree {
	switch v.Kind() {
	case workflow.KindBool:
		b, _ := v.AsBool()
		return b
	case workflow.KindNumber:
		if n, ok := v.AsInt(); ok {
			return n
		}
		f, _ := v.AsNumber()
		return f
	case workflow.KindText:
		text, _ := v.AsText()
		return text
	case workflow.KindList:
		items := []any{}
		for _, item := range v.Items() {
			items = append(items, treeOf(item))
		}
		return items
	case workflow.KindObject:
		members := object{}
		for name, value := range v.Members() {
			members = append(members, member{name, treeOf(value)})
		}
		return members
	}

	return nil
}

// jsonOf writes a tree, scalars by encoding/json.
func jsonOf(t *testing.T, x tree) string {
	t.Helper()
	switch x := x.(type) {
	case []any:
		items := make([]string, len(x))
		for i := range x {
			items[i] = jsonOf(t, x[i])
		}
		return "[" + strings.Join(items, ",") + "]"
	case object:
		members := make([]string, len(x))
		for i, m := range x {
			members[i] = jsonOf(t, m.name) + ":" + jsonOf(t, m.value)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	raw, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}

	return string(raw)
}

var (
	someTexts = []string{
		"", " ", "a", "b", "ab", "B", "Straße", "日本", "😀", "5", " 5 ", "5.0", "+5", "-5", "05",
		"5.", ".5", "0.5", "1e2", "1E+2", "100", "1_000", "0x10",
		"nan", "inf", "-inf", "Infinity", "1e400", "e5", "+", "-", ".", "True", "true", "None", "null", "0", "-0", "1 2", "٥",
		"9223372036854775807", "9223372036854775808", "9007199254740993", "9007199254740993.0",
		"\n5\t", "a\nb\"\\", "\u2028\x00\x7f", "<&>",
	}
	someNumbers = []tree{
		int64(0), int64(1), int64(-1), int64(5), int64(100), int64(1<<53 + 1), int64(math.MaxInt64), int64(math.MinInt64),
		0.5, -0.5, 0.1, 1.5, 4.999999999999999, 1e300, -1e300, 5e-324, 1e-7, 1.5e-6,
		9223372036854775808.0, -9223372036854775808.0, 1.3239014935415006e17, -1.5e19, 1e21, 123456789.25,
	}
	someNames = []string{"a", "b", "c", "d", "next_state", "", "a.b", "ä"}
)

func randomScalar(r *rand.Rand) tree {
	switch r.IntN(8) {
	case 0:
		return nil
	case 1, 2:
		return r.IntN(2) == 0
	case 3, 4, 5:
		return someNumbers[r.IntN(len(someNumbers))]
	}

	return someTexts[r.IntN(len(someTexts))]
}

// randomTree returns a value nested at most depth deep. Few of its objects are large, so that both
// ways to find a member are taken.
func randomTree(r *rand.Rand, depth int) tree {
	switch kind := r.IntN(5); {
	case depth > 0 && kind == 0:
		items := make([]any, r.IntN(4))
		for i := range items {
			items[i] = randomTree(r, depth-1)
		}
		return items
	case depth > 0 && kind <= 2:
		return randomObject(r, depth)
	}

	return randomScalar(r)
}

func randomObject(r *rand.Rand, depth int) object {
	members := object{}
	for _, i := range r.Perm(len(someNames))[:r.IntN(5)] {
		members = append(members, member{someNames[i], randomTree(r, depth-1)})
	}
	if r.IntN(20) == 0 {
		for _, i := range r.Perm(30) {
			members = append(members, member{"m" + strconv.Itoa(i), randomScalar(r)})
		}
	}

	return members
}

// repeat calls check with n random sources, the same in every run.
func repeat(n int, check func(r *rand.Rand)) {
	for i := range n {
		check(rand.New(rand.NewPCG(uint64(i), 17)))
	}
}
