package budget

import "math"

// AddAmounts adds two amounts of money. The sum does not overflow.
func AddAmounts(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}

	return a + b
}
