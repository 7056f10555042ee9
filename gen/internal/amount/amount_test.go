package amount_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/amount"
)

// TestNumbersEndAtUnbounded: each case is a computation and its result as text.
func TestNumbersEndAtUnbounded(t *testing.T) {
	const most = amount.Unbounded
	for _, c := range []struct {
		what string
		is   amount.Number
		want string
	}{
		{"-1", amount.Of(-1), "0"},
		{"1200 + 34", amount.Number(1200).Plus(34), "1,234"},
		{"most + 0", most.Plus(0), "9,007,199,254,740,991+"},
		{"most - 1 + 1", (most - 1).Plus(1), "9,007,199,254,740,991+"},
		{"most - 2 + 1", (most - 2).Plus(1), "9,007,199,254,740,990"},
		{"most + most", most.Plus(most), "9,007,199,254,740,991+"},
		{"7 - 3", amount.Number(7).Minus(3), "4"},
		{"3 - 7", amount.Number(3).Minus(7), "0"},
		{"most - 3", most.Minus(3), "9,007,199,254,740,991+"},
		{"most - most", most.Minus(most), "9,007,199,254,740,991+"},
		{"0 * most", amount.Number(0).Times(most), "0"},
		{"most * 0", most.Times(0), "0"},
		{"most * 1", most.Times(1), "9,007,199,254,740,991+"},
		{"2^30 * 2^30", amount.Number(1 << 30).Times(1 << 30), "9,007,199,254,740,991+"},
		{"1000 * 1000", amount.Number(1000).Times(1000), "1,000,000"},
		{"1 + 2 + most", amount.Sum(1, 2, most), "9,007,199,254,740,991+"},
		{"nothing", amount.Sum(), "0"},
	} {
		if got := c.is.String(); got != c.want {
			t.Errorf("%s is %s, not %s", c.what, got, c.want)
		}
	}
}
