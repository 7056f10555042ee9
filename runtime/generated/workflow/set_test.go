package workflow_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

func randomPath(r *rand.Rand) []string {
	path := make([]string, r.IntN(4))
	for i := range path {
		path[i] = someNames[r.IntN(len(someNames))]
	}

	return path
}

// TestLawsOfSet: what was set is there, everything beside it is as it was, members keep their order
// and new ones are last.
func TestLawsOfSet(t *testing.T) {
	written, refused := 0, 0
	repeat(4_000, func(r *rand.Rand) {
		v, x, path := valueOf(randomObject(r, 3)), valueOf(randomTree(r, 2)), randomPath(r)
		before := v.JSON()
		got, err := v.Set(path, x)
		if way, blocked := inTheWay(v, path); blocked {
			refused++
			want := workflow.Blocked(path, way, v.Get(path[:way]...).Kind())
			if err == nil || err.Error() != want.Error() || runtime.ErrorType(err) != runtime.ErrorType(want) {
				t.Errorf("set %q in %s: %v", path, before, err)
			}
			return
		}
		written++
		if err != nil || got.Get(path...).JSON() != x.JSON() {
			t.Errorf("set %q in %s to %s: %s, %v", path, before, x.JSON(), got.JSON(), err)
		}
		checkBeside(t, v, got, path)

		twice, err := got.Set(path, x)
		if err != nil || twice.JSON() != got.JSON() {
			t.Errorf("set %q twice: %s, %v", path, twice.JSON(), err)
		}
		if v.JSON() != before {
			t.Errorf("set %q changed %s to %s", path, before, v.JSON())
		}
	})
	if written < 3000 || refused < 200 {
		t.Errorf("%d written, %d refused: the test sees little", written, refused)
	}
}

// inTheWay returns how many names of path lead to something that has no members.
func inTheWay(v workflow.Value, path []string) (int, bool) {
	for i, name := range path {
		if v.Kind() != workflow.KindObject && !v.IsNone() {
			return i, true
		}
		v = v.Get(name)
	}

	return 0, false
}

// checkBeside compares all that is not on the path.
func checkBeside(t *testing.T, before, after workflow.Value, path []string) {
	t.Helper()
	for depth := range path {
		var old, now []string
		for name, value := range before.Get(path[:depth]...).Members() {
			old = append(old, name)
			if name != path[depth] && value.JSON() != after.Get(path[:depth]...).Get(name).JSON() {
				t.Errorf("set %q changed %q in %s", path, name, before.JSON())
			}
		}
		for name := range after.Get(path[:depth]...).Members() {
			now = append(now, name)
		}
		if !slices.Contains(old, path[depth]) {
			old = append(old, path[depth])
		}
		if !slices.Equal(old, now) {
			t.Errorf("set %q: members %q became %q", path, old, now)
		}
	}
}

func TestWithout(t *testing.T) {
	repeat(5000, func(r *rand.Rand) {
		v := valueOf(randomTree(r, 2))
		names := randomPath(r)
		want := v
		if v.Kind() == workflow.KindObject {
			var kept []workflow.Member
			for name, member := range v.Members() {
				if !slices.Contains(names, name) {
					kept = append(kept, workflow.Member{Name: name, Value: member})
				}
			}
			want = workflow.Object(kept...)
		}
		if got := v.Without(names...); got.JSON() != want.JSON() {
			t.Errorf("%s without %q: %s", v.JSON(), names, got.JSON())
		}
	})
}

func TestPathErrors(t *testing.T) {
	v := valueOf(object{{"a", object{{"b c", "text"}}}, {"l", []any{int64(1)}}})
	for _, c := range []struct {
		path []string
		want string
	}{
		{[]string{"a", "b c", "d"}, `cannot set a."b c".d: a."b c" is text, expected an object`},
		{[]string{"l", "0"}, "cannot set l.0: l is a list, expected an object"},
	} {
		if _, err := v.Set(c.path, workflow.Value{}); err == nil || err.Error() != c.want {
			t.Errorf("got %v, expected %s", err, c.want)
		}
	}
	_, err := workflow.Int(1).Set([]string{"a"}, v)
	if err == nil || err.Error() != "cannot set a: the value is a number, expected an object" {
		t.Error(err)
	}
}

// TestBoundsOfBuiltValues: a loop that puts values into values ends with an error that has a type,
// and not without memory.
func TestBoundsOfBuiltValues(t *testing.T) {
	isBound := func(err error, want string) {
		t.Helper()
		if bad := (*runtime.ValueError)(nil); !errors.As(err, &bad) || err.Error() != want {
			t.Errorf("got %v, expected %s", err, want)
		}
	}
	const deep, large = "the value is nested more than 10000 deep", "the value is larger than 64 MiB"

	v := workflow.Value{}
	for range 10_000 {
		v = workflow.List(v)
	}
	isBound(panicOf(func() { workflow.List(v) }), deep)
	isBound(panicOf(func() { workflow.Object(workflow.Member{Name: "a", Value: v}) }), deep)
	_, err := workflow.Value{}.Set([]string{"a"}, v)
	isBound(err, deep)
	_, err = workflow.Value{}.Set(make([]string, 10_001), workflow.Value{})
	isBound(err, deep)
	if len(v.JSON()) != 20_004 || !v.Equal(v) {
		t.Error("a value of the largest depth cannot be written")
	}

	v = workflow.Text("word")
	err = panicOf(func() {
		for range 100 {
			v = workflow.Object(workflow.Member{Name: "a", Value: v}, workflow.Member{Name: "b", Value: v})
		}
	})
	isBound(err, large)
	if n := len(v.JSON()); n < 30<<20 || n > 70<<20 {
		t.Errorf("the largest value has %d bytes as JSON", n)
	}
	v = workflow.Text(strings.Repeat("x", 40<<20))
	isBound(panicOf(func() {
		workflow.Object(workflow.Member{Name: "a", Value: v}).Merge(workflow.Object(workflow.Member{Name: "b", Value: v}))
	}), large)
}

func ExampleValue_Set() {
	context := workflow.Object(workflow.Member{Name: "tries", Value: workflow.Int(1)})
	changed, err := context.Set([]string{"review", "ok"}, workflow.Of(true))
	fmt.Println(changed, err)
	fmt.Println(context)
	_, err = changed.Set([]string{"tries", "n"}, workflow.Int(2))
	fmt.Println(err)
	// Output:
	// {"tries":1,"review":{"ok":true}} <nil>
	// {"tries":1}
	// cannot set tries.n: tries is a number, expected an object
}
