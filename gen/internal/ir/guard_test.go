package ir_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// expression is a guard of which no more is read than its text.
func expression(text string) *ir.Guard {
	written := ir.Text{Value: text}

	return &ir.Guard{Text: written, Formula: &ir.Formula{Text: written, Root: &ir.Access{}}}
}

func TestSameGuards(t *testing.T) {
	quality, other := &ir.GuardFunc{}, &ir.GuardFunc{Name: ir.Text{Value: "other"}}
	cases := []struct {
		name string
		g, h *ir.Guard
		same bool
	}{
		{"a named guard", &ir.Guard{Func: quality}, &ir.Guard{Func: quality}, true},
		{"with not", &ir.Guard{Func: quality}, &ir.Guard{Func: quality, Not: true}, false},
		{"another one", &ir.Guard{Func: quality}, &ir.Guard{Func: other, Not: true}, false},
		{"an expression", expression("visits.a < 3"), expression(" visits.a < 3"), true},
		{"not before it", expression("visits.a < 3"), expression("not (visits.a < 3)"), false},
		{"not before a part", expression("key == 'a' and value"), expression("not key == 'a' and value"), false},
		{"two groups", expression("(a) or (b)"), expression("not ((a) or (b))"), false},
		{"another one", expression("visits.a < 3"), expression("not visits.b < 3"), false},
		{"what could not be read", &ir.Guard{}, &ir.Guard{}, false},
		{"one of each", &ir.Guard{Func: quality}, expression("not quality"), false},
	}
	for _, c := range cases {
		if c.g.Equal(c.h) != c.same || c.h.Equal(c.g) != c.same {
			t.Errorf("%s: same is not %v", c.name, c.same)
		}
	}
}
