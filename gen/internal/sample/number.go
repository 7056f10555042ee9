package sample

import (
	"cmp"
	"math/big"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// makeNumber returns a number that fits s. For seed 0, it is the one nearest to 0.
func makeNumber(path string, s *ir.Schema, seed int) (string, error) {
	r := multiplesInRange(s)
	// Exclusive bounds and rounding rule out some candidates.
	for i := seed; i <= seed+16; i++ {
		for _, n := range r.candidates(i) {
			if text := formatNumber(s, n); Fits(s, text) {
				return text, nil
			}
		}
	}

	return "", &Error{Path: path, Problem: "no such numbers were found"}
}

// numbers are the multiples of step between two bounds. Each field is nil if it does not restrict
// the numbers.
type numbers struct{ least, most, step *big.Rat }

func multiplesInRange(s *ir.Schema) numbers {
	low, high := s.Range()
	r := numbers{low.Value, high.Value, ir.ParseRational(s.MultipleOf)}
	if s.Kind == ir.SchemaInteger {
		r.step = cmp.Or(r.step, big.NewRat(1, 1))
		r.step = new(big.Rat).SetInt(r.step.Num()) // a/b and a have the same whole multiples
	}

	return r
}

// candidates returns the i-th numbers around the one nearest to 0. Per step there is one, i/2 steps
// away, above and below by turns.
func (r numbers) candidates(i int) []*big.Rat {
	nearest := new(big.Rat)
	switch {
	case r.least != nil && r.least.Sign() > 0:
		nearest = r.least
	case r.most != nil && r.most.Sign() < 0:
		nearest = r.most
	}
	distance := big.NewRat(int64(i+1)/2, 1)
	if i%2 == 0 {
		distance.Neg(distance)
	}

	return ir.Map(r.steps(), func(step *big.Rat) *big.Rat {
		return new(big.Rat).Add(floorMultiple(nearest, step), new(big.Rat).Mul(step, distance))
	})
}

// steps returns the distances between candidates: the step of the schema if there is one, or else
// finer and finer steps.
func (r numbers) steps() []*big.Rat {
	if r.step != nil {
		return []*big.Rat{r.step}
	}
	steps := []*big.Rat{big.NewRat(1, 1)}
	if r.least != nil && r.most != nil {
		if width := new(big.Rat).Sub(r.most, r.least); width.Sign() > 0 {
			for parts := int64(2); parts <= 1<<40; parts <<= 4 {
				steps = append(steps, new(big.Rat).Quo(width, big.NewRat(parts, 1)))
			}
		}
	}
	for _, bound := range []*big.Rat{r.least, r.most} {
		// Beside a large bound, a step of one is lost in rounding.
		if bound != nil && bound.Sign() != 0 {
			steps = append(steps, new(big.Rat).Quo(new(big.Rat).Abs(bound), big.NewRat(1024, 1)))
		}
	}

	return steps
}

// floorMultiple returns the largest multiple of step that is not above n.
func floorMultiple(n, step *big.Rat) *big.Rat {
	times := new(big.Rat).Quo(n, step)
	whole := new(big.Int).Div(times.Num(), times.Denom())

	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
}

// formatNumber returns a number as JSON.
func formatNumber(s *ir.Schema, n *big.Rat) string {
	if s.Kind == ir.SchemaInteger {
		return n.RatString()
	}
	f, _ := n.Float64()

	return strconv.FormatFloat(f, 'g', -1, 64)
}
