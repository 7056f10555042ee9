// Package amount has the numbers of which upper bounds are made: of bytes, calls, tokens and money.
//
// Input and output: numbers. The promise: no result is smaller than the exact one, and none is
// larger than [Unbounded].
package amount

import "strconv"

// Number is an integer that is not negative. It ends at [Unbounded].
type Number uint64

// Unbounded is itself and every larger number. It is the largest integer that every reader of JSON
// takes as it is.
const Unbounded Number = 1<<53 - 1

// Of returns an integer as a number; zero for one that is negative.
func Of(n int) Number { return min(Number(max(n, 0)), Unbounded) }

// Sum returns the sum of numbers.
func Sum(numbers ...Number) Number {
	sum := Number(0)
	for _, n := range numbers {
		sum = sum.Plus(n)
	}

	return sum
}

// Plus returns the sum of two numbers.
func (n Number) Plus(more Number) Number { return min(n+more, Unbounded) }

// Minus returns the number without a part of it. What is unbounded is so without a part, too.
func (n Number) Minus(part Number) Number {
	switch {
	case n == Unbounded:
		return Unbounded
	case n < part:
		return 0
	}

	return n - part
}

// Times returns the product of two numbers.
func (n Number) Times(factor Number) Number {
	if n != 0 && factor > Unbounded/n {
		return Unbounded
	}

	return n * factor
}

// String writes the number in groups of three digits; [Unbounded] with a plus behind it.
func (n Number) String() string {
	text := strconv.FormatUint(uint64(n), 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	if n == Unbounded {
		text += "+"
	}

	return text
}
