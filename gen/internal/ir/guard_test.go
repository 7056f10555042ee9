package ir_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// expression is a guard of which no more is read than a `not` before all of it.
func expression(text string, not int) *ir.Guard {
	f := source.NewFile("f", []byte(text))
	at := func(start int) source.Span { return source.Span{File: f, Start: start, End: len(text)} }
	var root ir.Expression = &ir.Access{Span: at(0)}
	if not > 0 {
		root = &ir.Not{Span: at(0), X: &ir.Access{Span: at(not)}}
	}
	said := ir.Text{Value: text, Span: at(0)}

	return &ir.Guard{Text: said, Formula: &ir.Formula{Text: said, Root: root}}
}

func TestGuardsThatBelongTogether(t *testing.T) {
	quality, other := &ir.GuardFunc{}, &ir.GuardFunc{Name: ir.Text{Value: "other"}}
	cases := []struct {
		name           string
		g, h           *ir.Guard
		same, opposite bool
	}{
		{"a named guard", &ir.Guard{Func: quality}, &ir.Guard{Func: quality}, true, false},
		{"with not", &ir.Guard{Func: quality}, &ir.Guard{Func: quality, Not: true}, false, true},
		{"another one", &ir.Guard{Func: quality}, &ir.Guard{Func: other, Not: true}, false, false},
		{"an expression", expression("visits.a < 3", 0), expression(" visits.a < 3", 0), true, false},
		{"not before it", expression("visits.a < 3", 0), expression("not (visits.a < 3)", 4), false, true},
		{"not before a part", expression("key == 'a' and value", 0), expression("not key == 'a' and value", 0), false, false},
		{"two groups", expression("(a) or (b)", 0), expression("not ((a) or (b))", 4), false, true},
		{"half of it", expression("a) or (b", 0), expression("not (a) or (b)", 4), false, false},
		{"what could not be read", &ir.Guard{}, &ir.Guard{}, false, false},
		{"one of each", &ir.Guard{Func: quality}, expression("not quality", 4), false, false},
	}
	for _, c := range cases {
		if c.g.Same(c.h) != c.same || c.h.Same(c.g) != c.same {
			t.Errorf("%s: same is not %v", c.name, c.same)
		}
		if c.g.Opposite(c.h) != c.opposite || c.h.Opposite(c.g) != c.opposite {
			t.Errorf("%s: opposite is not %v", c.name, c.opposite)
		}
	}
}
