package workflow_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// useAll does everything with a value that the package can do.
func useAll(r *rand.Rand, v, other workflow.Value) {
	path := randomPath(r)
	name := someNames[r.IntN(len(someNames))]
	if changed, err := v.Set(path, other); err == nil {
		_, _ = changed.Set(append(path, "new"), v)
	}
	_, _ = v.Set([]string{name}, other)
	_, _ = v.Set([]string{name + "1"}, other)
	_, _ = v.Set([]string{name + "2"}, other)
	_ = v.Merge(other).Merge(workflow.Object(workflow.Member{Name: name, Value: other}))
	_ = other.Merge(v)
	_ = v.Without(name)
	for _, keep := range []string{workflow.KeepNeither, workflow.KeepFirst, workflow.KeepLast} {
		_, _ = workflow.MergeBranches(v, []workflow.Value{other, v.Merge(other), v.Without(name)}, keep)
	}

	_, _, _ = v.ContextSet(workflow.Text(name), other)
	_, _, _ = v.ContextMerge(workflow.Text(name), other)
	_, _ = workflow.List(v, other, v).Flatten()
	_, _ = v.Flatten()
	_, _ = v.Aggregate(workflow.Text("max"), workflow.Value{})
	_, _ = v.SelectFields(workflow.Value{}, workflow.Object(workflow.Member{Name: name, Value: workflow.Text("renamed")}))
	_, _ = workflow.List(v, other).ToCSV(workflow.Value{})
	_, _ = workflow.List(v, other, v).Union()
	_ = workflow.List(v, other, v).Majority()
	_ = v.Join(",")
	_, _ = v.MarshalJSON()
	_, _, _ = v.Equal(other), v.Contains(other), v.Less(other)
}

// TestValuesNeverChange, whatever is done with them, and by several goroutines at once.
func TestValuesNeverChange(t *testing.T) {
	repeat(300, func(r *rand.Rand) {
		v, other := valueOf(randomObject(r, 3)), valueOf(randomTree(r, 3))
		if r.IntN(4) == 0 {
			v = valueOf(randomTree(r, 3))
		}
		before, beside := v.JSON(), other.JSON()
		var all sync.WaitGroup
		for i := range 4 {
			own := rand.New(rand.NewPCG(uint64(i), r.Uint64()))
			all.Go(func() {
				for range 5 {
					useAll(own, v, other)
				}
			})
		}
		all.Wait()
		if v.JSON() != before || other.JSON() != beside {
			t.Errorf("%s or %s became %s or %s", before, beside, v.JSON(), other.JSON())
		}
	})
}

// TestSiblingsAreIndependent: two values that are made from one do not see each other.
func TestSiblingsAreIndependent(t *testing.T) {
	base := workflow.Object()
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		base = set(t, base, []string{name}, workflow.Int(0))
		x := set(t, base, []string{"x"}, workflow.Int(1))
		y := set(t, base, []string{"y"}, workflow.Int(2))
		z := base.Merge(workflow.Object(workflow.Member{Name: "z", Value: workflow.Int(3)}))
		w := base.Merge(workflow.Object(workflow.Member{Name: "w", Value: workflow.Int(4)}))
		for other, v := range map[string]workflow.Value{"x": x, "y": y, "z": z, "w": w} {
			if v.Len() != base.Len()+1 || !v.Has(other) {
				t.Errorf("%s became %s", base, v)
			}
		}
	}
}

// TestWhatIsGivenMayBeChanged: slices that a value was made from, or errors that name a path, are
// not shared with the caller.
func TestWhatIsGivenMayBeChanged(t *testing.T) {
	items := []workflow.Value{workflow.Int(1), workflow.Int(2)}
	list := workflow.List(items...)
	items[0] = workflow.Int(9)
	members := []workflow.Member{{Name: "a", Value: workflow.Int(1)}}
	object := workflow.Object(members...)
	members[0] = workflow.Member{Name: "b", Value: workflow.Int(9)}
	path := []string{"x", "y"}
	deep := set(t, object, path, workflow.Int(3))
	_, err := workflow.Object(workflow.Member{Name: "x", Value: list}).Set(path, list)
	path[0], path[1] = "p", "q"
	raw := []byte(`{"a":"text"}`)
	read := parsed(t, string(raw))
	if err := read.UnmarshalJSON(raw); err != nil {
		t.Fatal(err)
	}
	copy(raw, `[1,2,3,4,5,6`)

	for got, want := range map[string]string{
		list.JSON():   "[1,2]",
		object.JSON(): `{"a":1}`,
		deep.JSON():   `{"a":1,"x":{"y":3}}`,
		read.JSON():   `{"a":"text"}`,
		err.Error():   "cannot set x.y: x is a list, expected an object",
	} {
		if got != want {
			t.Errorf("got %s, expected %s", got, want)
		}
	}
	written, err := read.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	written[2] = 'X'
	if read.JSON() != `{"a":"text"}` {
		t.Error("what was written changes the value")
	}
}
