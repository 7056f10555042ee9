package main

import (
	"math"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// scoreOf is the score of the named contestant; one without numbers if it took no part.
func scoreOf(scores []contest.Score, name string) contest.Score {
	i := slices.IndexFunc(scores, func(s contest.Score) bool { return s.Name == name })
	if i < 0 {
		return contest.Score{Allocs: math.NaN()}
	}

	return scores[i]
}

// best is the shortest time a step of the named contestant; not a number if it took no part. Contestants take turns many
// times, and what else the machine does only ever adds time, so the shortest says most about the code.
func best(scores []contest.Score, name string) float64 {
	if steps := scoreOf(scores, name).Step; len(steps) > 0 {
		return slices.Min(steps)
	}

	return math.NaN()
}

// median is the middle one of numbers.
func median(numbers []float64) float64 { return slices.Sorted(slices.Values(numbers))[len(numbers)/2] }

func sum(numbers []float64) (all float64) {
	for _, n := range numbers {
		all += n
	}

	return all
}

// compare adds a row: how long a step of one contestant takes beside one of another.
func (b *bench) compare(what string, scores []contest.Score, name, beside string, aim goal) {
	b.add(what, best(scores, name)/best(scores, beside), "x", aim)
}

// allocsStep are the allocations of a step, rounded to a hundredth: what a run allocates once is not counted against its steps.
func allocsStep(scores []contest.Score, name string) float64 {
	s := scoreOf(scores, name)

	return math.Round(100*s.Allocs/float64(s.Steps)) / 100
}

// count writes a number with a comma at the thousands.
func count(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	rest := strconv.Itoa(n % 1000)

	return count(n/1000) + "," + "000"[len(rest):] + rest
}
