package sample

import (
	"fmt"
	"math/big"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// number returns the i-th number that fits s, counted from the one that is nearest to 0.
func (m *maker) number(path string, s *ir.Schema, i int) (string, *Error) {
	known := m.variantsOf(s)
	for len(known.texts) <= i && known.tried <= i {
		known.tried = max(2*known.tried, i+1)
		for _, n := range rangeOf(s).candidates(known.tried - 1) {
			if text := written(s, n); Fits(s, text) {
				known.add(text)
			}
		}
	}
	if i < len(known.texts) {
		return known.texts[i], nil
	}

	return "", &Error{Path: path, Problem: fmt.Sprintf("no %d different numbers were found", i+1)}
}

// numbers are those between two bounds, nil for none, and step what each is a multiple of; nil: anything.
type numbers struct{ least, most, step *big.Rat }

func rangeOf(s *ir.Schema) numbers {
	low, high := s.Range()
	r := numbers{low.Value, high.Value, ir.Rational(s.MultipleOf)}
	if s.Kind == ir.SchemaInteger {
		if r.step == nil {
			r.step = big.NewRat(1, 1)
		}
		r.step = new(big.Rat).SetInt(r.step.Num()) // the whole multiples of a/b are those of a
	}

	return r
}

// candidates are numbers that may do, different ones, around the one that is nearest to 0; i of them have to be
// skipped.
func (r numbers) candidates(i int) []*big.Rat {
	nearest := new(big.Rat)
	switch {
	case r.least != nil && r.least.Sign() > 0:
		nearest = r.least
	case r.most != nil && r.most.Sign() < 0:
		nearest = r.most
	}

	var all []*big.Rat
	for _, step := range r.steps() {
		first := floorMultiple(nearest, step)
		all = append(all, first)
		for k := range i + 3 { // more than i, since rounding and bounds that are not allowed cost some
			distance := new(big.Rat).Mul(step, big.NewRat(int64(k+1), 1))
			all = append(all, new(big.Rat).Add(first, distance), new(big.Rat).Sub(first, distance))
		}
	}

	return distinct(all)
}

// steps are the distances between candidates: the one that is asked for, else finer and finer ones.
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
		if bound != nil && bound.Sign() != 0 { // beside a large bound, one is too little to make a difference
			steps = append(steps, new(big.Rat).Quo(new(big.Rat).Abs(bound), big.NewRat(1024, 1)))
		}
	}

	return steps
}

// floorMultiple is the largest multiple of step that is not above n.
func floorMultiple(n, step *big.Rat) *big.Rat {
	times := new(big.Rat).Quo(n, step)
	whole := new(big.Int).Div(times.Num(), times.Denom())

	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
}

func distinct(all []*big.Rat) []*big.Rat {
	seen := map[string]bool{}
	var once []*big.Rat
	for _, n := range all {
		if text := n.RatString(); !seen[text] {
			seen[text] = true
			once = append(once, n)
		}
	}

	return once
}

// written writes a number as JSON.
func written(s *ir.Schema, n *big.Rat) string {
	if s.Kind == ir.SchemaInteger {
		return n.RatString()
	}
	f, _ := n.Float64()

	return strconv.FormatFloat(f, 'g', -1, 64)
}
