package main

import (
	"math"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// best is the shortest time a step of the named contestant; not a number if it took no part. Contestants take turns many
// times, and what else the machine does only ever adds time, so the shortest is what tells most about the code.
func best(scores []contest.Score, name string) float64 {
	for _, s := range scores {
		if s.Name == name && len(s.Step) > 0 {
			return slices.Min(s.Step)
		}
	}

	return math.NaN()
}

// allocs are the allocations of one run of the named contestant; not a number if it took no part.
func allocs(scores []contest.Score, name string) float64 {
	for _, s := range scores {
		if s.Name == name {
			return s.Allocs
		}
	}

	return math.NaN()
}

// count writes a number with a comma at the thousands.
func count(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	rest := strconv.Itoa(n % 1000)

	return count(n/1000) + "," + "000"[len(rest):] + rest
}

// allocsStep are the allocations of a step, rounded to a hundredth: what a run allocates once is not counted against its steps.
func allocsStep(scores []contest.Score, name string) float64 {
	for _, s := range scores {
		if s.Name == name {
			return math.Round(100*s.Allocs/float64(s.Steps)) / 100
		}
	}

	return math.NaN()
}
