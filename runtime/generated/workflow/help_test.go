package workflow_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// TestOneOfIsContains of a list of the same items.
func TestOneOfIsContains(t *testing.T) {
	repeat(2000, func(r *rand.Rand) {
		x := valueOf(randomScalar(r))
		items := make([]workflow.Value, r.IntN(6))
		for i := range items {
			items[i] = valueOf(randomScalar(r))
		}
		if got := x.OneOf(items...); got != workflow.List(items...).Contains(x) {
			t.Errorf("%s in %s: %v", x.JSON(), workflow.List(items...), got)
		}
	})
}

func TestPartsOfTemplates(t *testing.T) {
	each := func(x tree) string {
		return workflow.BuildText(func(b *strings.Builder) {
			for _, this := range valueOf(x).Items() {
				b.WriteString("<" + this.String() + ">")
			}
		})
	}
	for _, c := range []struct{ got, want string }{
		{workflow.When(true, func() string { return "text" }), "text"}, {workflow.When(false, func() string { panic("read") }), ""},
		{each([]any{"a", nil, 1.5, true}), "<a><><1.5><True>"}, {each([]any{}), ""}, {each("text"), ""}, {each(nil), ""},
		{each(object{{"a", "b"}}), ""},
		{workflow.Object(workflow.Member{Name: "a"}, workflow.Member{Name: "b", Value: workflow.Of(false)}).WithoutNone().JSON(), `{"b":false}`},
		{workflow.Object().WithoutNone().JSON(), "{}"},
	} {
		if c.got != c.want {
			t.Errorf("got %s, expected %s", c.got, c.want)
		}
	}
}

func TestEachItemOfTheContext(t *testing.T) {
	r := start(t, &door{}, `{"o": {"list": [1, "x"]}, "empty": [], "text": "x"}`)
	same := func(item workflow.Value) (workflow.Value, error) {
		if r.This().JSON() != item.JSON() {
			t.Errorf("this is %v, expected %v", r.This(), item)
		}
		return item, nil
	}
	if list, err := r.Each(same, "o", "list"); err != nil || list.JSON() != `[1,"x"]` {
		t.Errorf("got %v, %v", list, err)
	}
	if list, err := r.Each(same, "empty"); err != nil || list.JSON() != `[]` {
		t.Errorf("got %v, %v", list, err)
	}
	fault := errors.New("no")
	_, err := r.Each(func(workflow.Value) (workflow.Value, error) { return workflow.Value{}, fault }, "o", "list")
	if !errors.Is(err, fault) || !r.This().IsNone() {
		t.Errorf("got %v, and this is %v", err, r.This())
	}
	for path, want := range map[string]string{
		"text": `context.text: found "x", expected a list`, "missing": "context.missing: found none, expected a list",
	} {
		_, err := r.Each(same, path)
		var value *runtime.ValueError
		if runtime.ErrorType(err) != "ContextError" || !errors.As(err, &value) || err.Error() != want {
			t.Errorf("got %v, expected %s", err, want)
		}
	}
}
