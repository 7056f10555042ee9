package statemachine

import (
	"math"
	"regexp"
	"time"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Numbers may also be written as texts, as the original allows. What does not fit reads as absent: the schema has said
// so.

// count returns a whole number, or fallback.
func (b *builder) count(n *yamldoc.Node, fallback int) int {
	if p := b.set.project.Whole(unquoted(n)); p != nil && *p >= 0 {
		return *p
	}

	return fallback
}

// seconds returns a time; 0 without one.
func (b *builder) seconds(n *yamldoc.Node) time.Duration {
	number := frontend.Number(unquoted(n))
	if number == nil || *number <= 0 {
		return 0
	}
	if *number > math.MaxInt32 {
		b.report(diag.New(diag.BadValue, n.Span, "%s seconds are too many: at most %d", n.Text, math.MaxInt32))
		return 0
	}

	return max(time.Duration(*number*float64(time.Second)), 1)
}

// unquoted returns a number that is written as a text as if it were written as a number.
func unquoted(n *yamldoc.Node) *yamldoc.Node {
	if n == nil || n.Kind != yamldoc.String {
		return n
	}
	if !digits.MatchString(n.Text) {
		return n
	}
	number := *n
	number.Kind = yamldoc.Float

	return &number
}

var digits = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
