package ir_test

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

var (
	notes, result = ir.NewOutput("notes"), ir.NewOutput("result")
	turn, item    = ir.NewOutput("try"), ir.NewOutput("item")
)

func TestTestsOfKeysAndTurns(t *testing.T) {
	for _, test := range []ir.KeyTest{{Of: result, Key: "done"}, {Of: result, Key: "parallel", Not: true}} {
		if got, ok := ir.KeyTestOf(test.Expression()); !ok || got != test {
			t.Errorf("got %v, %v, want %v", got, ok, test)
		}
	}
	limit := ir.TurnTest{Turn: turn, N: 4}
	if got, ok := ir.TurnTestOf(limit.Expression()); !ok || got != limit {
		t.Errorf("got %v, %v", got, ok)
	}

	number, key := ir.TurnAccess(turn), &ir.FinishKey{Of: result}
	for name, x := range map[string]ir.Expression{
		"nothing":              nil,
		"another predicate":    &ir.SaysDone{X: ir.OutputAccess(result)},
		"an order":             &ir.Compare{Op: ir.OpLess, X: number, Y: &ir.Literal{Value: int64(1)}},
		"an order of keys":     &ir.Compare{Op: ir.OpLess, X: key, Y: &ir.Literal{Value: "a"}},
		"a turn and a text":    &ir.Compare{Op: ir.OpEqual, X: number, Y: &ir.Literal{Value: "1"}},
		"a key and a number":   &ir.Compare{Op: ir.OpEqual, X: key, Y: &ir.Literal{Value: int64(1)}},
		"a key and a variable": &ir.Compare{Op: ir.OpEqual, X: key, Y: ir.OutputAccess(result)},
		"an output":            &ir.Compare{Op: ir.OpEqual, X: ir.OutputAccess(result), Y: &ir.Literal{Value: int64(1)}},
	} {
		if _, isKey := ir.KeyTestOf(x); isKey {
			t.Errorf("%s asks for a key", name)
		}
		if _, isTurn := ir.TurnTestOf(x); isTurn {
			t.Errorf("%s asks for a turn", name)
		}
	}
}

func TestOutputOfAnExpression(t *testing.T) {
	value := ir.OutputAccess(result)
	for name, x := range map[string]ir.Expression{
		"a value": value, "a report": &ir.Report{X: value}, "a document": &ir.Document{X: value}, "an object": &ir.Object{X: value},
	} {
		if got := ir.OutputOf(x); got != result {
			t.Errorf("%s is of %v", name, got)
		}
	}
	member := ir.OutputAccess(result)
	member.Path = []ir.Field{{}}
	for name, x := range map[string]ir.Expression{
		"nothing": nil, "the input": ir.InputAccess(), "an item": ir.ItemAccess(item), "a member": member, "titled texts": ir.NewReport(value),
	} {
		if got := ir.OutputOf(x); got != nil {
			t.Errorf("%s is of %v", name, got)
		}
	}
}

// What a pattern says in words, and what in it is read.
func TestWordsOfPatterns(t *testing.T) {
	section := ir.Section{Title: "step", Text: ir.ItemAccess(item)}
	list := &ir.ListOf{Kind: ir.ListClaims, Of: result}
	for _, c := range []struct {
		x     ir.Expression
		words string
		reads []string
	}{
		{nil, "", nil},
		{ir.InputAccess(), "input", []string{"input"}},
		{ir.OutputAccess(result), "result", []string{"result"}},
		{&ir.Report{X: ir.OutputAccess(notes)}, "notes.report", []string{"notes"}},
		{&ir.Document{X: ir.OutputAccess(notes)}, "notes.document", []string{"notes"}},
		{&ir.Object{X: ir.OutputAccess(notes)}, "notes.object", []string{"notes"}},
		{ir.NewReport(nil, section), "{step: item}", []string{"item"}},
		{ir.NewReport(ir.OutputAccess(notes), section), "{notes, step: item}", []string{"notes", "item"}},
		{&ir.Notes{Base: ir.OutputAccess(notes), Sections: []ir.Section{section}}, "notes {notes, step: item}", []string{"notes", "item"}},
		{list, "the claims in result", nil},
		{&ir.SaysDone{X: ir.OutputAccess(result)}, "result says done", []string{"result"}},
		{ir.KeyTest{Of: result, Key: "done"}.Expression(), "key of result is done", nil},
		{ir.KeyTest{Of: result, Key: "done", Not: true}.Expression(), "key of result is not done", nil},
		{ir.TurnTest{Turn: turn, N: 3}.Expression(), "try is 3", []string{"try"}},
	} {
		if got := ir.Describe(c.x); got != c.words {
			t.Errorf("got %q, want %q", got, c.words)
		}
		var reads []string
		ir.WalkAccesses(c.x, func(access *ir.Access) { reads = append(reads, access.Written) })
		if !slices.Equal(reads, c.reads) {
			t.Errorf("%s reads %q", c.words, reads)
		}
	}
}

func TestKindsOfTexts(t *testing.T) {
	value := ir.OutputAccess(result)
	for kind, all := range map[ir.SchemaKind][]ir.Expression{
		ir.SchemaString: {
			ir.InputAccess(), ir.ItemAccess(item), &ir.Report{X: value}, &ir.Document{X: value}, &ir.Object{X: value}, &ir.FinishKey{Of: result},
		},
		ir.SchemaBoolean: {&ir.SaysDone{X: value}, ir.TurnTest{Turn: turn, N: 1}.Expression()},
		ir.SchemaInteger: {ir.TurnAccess(turn)},
		ir.SchemaArray:   {&ir.ListOf{Of: result}},
	} {
		for _, x := range all {
			if got := x.ValueType().Schema; got == nil || got.Kind != kind {
				t.Errorf("%T is %v, want %v", x, got, kind)
			}
		}
	}
	if (&ir.Notes{}).ValueType().Schema != nil {
		t.Error("a schema describes notes")
	}
}
