package ir_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// expression is a guard of which no more is read than a `not` before all of it, whose operand is at inner.
func expression(text, inner string) *ir.Guard {
	f := source.NewFile("f", []byte(text))
	at := func(part string) source.Span {
		start := strings.Index(text, part)
		return source.Span{File: f, Start: start, End: start + len(part)}
	}
	var root ir.Expression = &ir.Access{Span: at(strings.TrimSpace(text))}
	if inner != "" {
		root = &ir.Not{Span: at(text), X: &ir.Access{Span: at(inner)}}
	}
	written := ir.Text{Value: text, Span: at(text)}

	return &ir.Guard{Text: written, Formula: &ir.Formula{Text: written, Root: root}}
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
		{"an expression", expression("visits.a < 3", ""), expression(" visits.a < 3", ""), true, false},
		{"not before it", expression("visits.a < 3", ""), expression("not (visits.a < 3)", "visits.a < 3"), false, true},
		{"not before a part", expression("key == 'a' and value", ""), expression("not key == 'a' and value", ""), false, false},
		{"two groups", expression("(a) or (b)", ""), expression("not ((a) or (b))", "(a) or (b)"), false, true},
		{"another one", expression("visits.a < 3", ""), expression("not visits.b < 3", "visits.b < 3"), false, false},
		{"what could not be read", &ir.Guard{}, &ir.Guard{}, false, false},
		{"one of each", &ir.Guard{Func: quality}, expression("not quality", "quality"), false, false},
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
