package ir_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

func textsOf(path string) []ir.Text {
	return ir.Map(strings.FieldsFunc(path, func(r rune) bool { return r == '.' }), func(name string) ir.Text { return ir.Text{Value: name} })
}

func TestMayWriteField(t *testing.T) {
	order := &ir.Schema{Kind: ir.SchemaObject, Properties: []*ir.Property{{Name: ir.Text{Value: "id"}, Schema: &ir.Schema{Kind: ir.SchemaString}}}}
	at := func(path string) *ir.ContextPath { return &ir.ContextPath{Path: textsOf(path)} }
	cases := []struct {
		name  string
		write ir.ContextWrite
		field string
		want  bool
	}{
		{"a path that only the run knows", ir.ContextWrite{}, "a", true},
		{"the field itself", ir.ContextWrite{Path: at("a")}, "a", true},
		{"the object around the field", ir.ContextWrite{Path: at("a")}, "a.b", true},
		{"a part of the field", ir.ContextWrite{Path: at("a.b")}, "a", true},
		{"a sibling", ir.ContextWrite{Path: at("a.c")}, "a.b", false},
		{"a merge of an object with the field", ir.ContextWrite{Path: at(""), Merge: true, Schema: order}, "id", true},
		{"a merge of an object without the field", ir.ContextWrite{Path: at(""), Merge: true, Schema: order}, "total", false},
		{"a merge below another name", ir.ContextWrite{Path: at("order"), Merge: true, Schema: order}, "order.total", false},
		{"a merge of an unknown value", ir.ContextWrite{Path: at(""), Merge: true}, "total", true},
		{"a merge of a written value", ir.ContextWrite{Path: at(""), Merge: true, Schema: order, Value: &ir.Datum{}}, "total", true},
	}
	for _, c := range cases {
		if got := c.write.MayWrite(ir.Values(textsOf(c.field))); got != c.want {
			t.Errorf("%s: MayWrite(%s) = %t, want %t", c.name, c.field, got, c.want)
		}
	}
}

func TestExpandContains(t *testing.T) {
	x, y := &ir.Access{Written: "x"}, &ir.Access{Written: "y"}
	one := &ir.Literal{Value: int64(1)}
	expand := func(not bool, container ir.Expression) ir.Expression {
		return ir.ExpandContains(&ir.Contains{Not: not, X: x, Y: container})
	}
	if got := expand(false, y); got != nil {
		t.Errorf("a container that is no list gives %v", got)
	}
	if got := expand(false, &ir.Tuple{Items: []ir.Expression{one}}); got != nil {
		t.Errorf("a list of literals gives %v", got)
	}
	each, isLogic := expand(false, &ir.Tuple{Items: []ir.Expression{one, y}}).(*ir.Logic)
	if !isLogic || !each.Or || len(each.X) != 2 {
		t.Fatalf("a list with a name gives %v", each)
	}
	if second := each.X[1].(*ir.Compare); second.Op != ir.OpEqual || second.X != x || second.Y != y {
		t.Errorf("the second comparison is %v", second)
	}
	if _, isNot := expand(true, &ir.Tuple{Items: []ir.Expression{y}}).(*ir.Not); !isNot {
		t.Error("not in gives no negation")
	}
}

func TestAccessedValuesAreUnique(t *testing.T) {
	x, again, y := &ir.Access{Written: "x"}, &ir.Access{Written: "x"}, &ir.Access{Written: "y"}
	both := &ir.Logic{X: []ir.Expression{&ir.Compare{X: x, Y: y}, &ir.Not{X: again}}}
	got := strings.Join(ir.Map(ir.AccessedValues(both), ir.SourceText), " ")
	if got != "x y" {
		t.Errorf("the values are %q, want x y", got)
	}
}
