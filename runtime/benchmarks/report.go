package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A row is one line of the table.
type row struct {
	what string
	// measured is a ratio, a count or a size; unit is written behind it.
	measured float64
	unit     string
	goal     goal
}

// A goal is what a measured value has to be. The zero goal is none: the row stands beside others for comparison.
type goal struct {
	kind  goalKind
	value float64
}

type goalKind uint8

const (
	noGoal goalKind = iota
	atLeast
	atMost
)

// tolerance is by how much a goal may be missed before the command fails: shared machines are noisy.
const tolerance = 1.2

// missed says by which factor the row misses its goal: 1 and less is met. A count that should be zero is met or infinitely
// missed. A value that is no number is missed: it was not measured.
func (r row) missed() float64 {
	switch {
	case r.goal.kind == noGoal:
		return 0
	case math.IsNaN(r.measured):
		return math.Inf(1)
	case r.goal.kind == atLeast:
		return ratio(r.goal.value, r.measured)
	}

	return ratio(r.measured, r.goal.value)
}

// ratio is a/b, where nothing of nothing is nothing.
func ratio(a, b float64) float64 {
	if a == 0 {
		return 0
	}

	return a / b
}

// verdict is the last column.
func (r row) verdict() string {
	switch missed := r.missed(); {
	case r.goal.kind == noGoal:
		return "beside"
	case missed <= 1:
		return "ok"
	}

	return "MISSED"
}

// number writes a value with two decimals; with more where rounding would move it onto the goal or across it.
func (r row) number(value float64) string {
	if value == math.Trunc(value) || math.IsNaN(value) {
		return fmt.Sprintf("%.0f%s", value, r.unit)
	}
	for digits := 2; ; digits++ {
		text := fmt.Sprintf("%.*f", digits, value)
		rounded := r
		rounded.measured, _ = strconv.ParseFloat(text, 64)
		if digits == 6 || rounded.verdict() == r.verdict() {
			return text + r.unit
		}
	}
}

// number writes the goal's value as it stands in the source.
func (g goal) number() string { return strconv.FormatFloat(g.value, 'f', -1, 64) }

// goalText is the goal column.
func (r row) goalText() string {
	switch r.goal.kind {
	case atLeast:
		return "at least " + r.goal.number() + r.unit
	case atMost:
		return "at most " + r.goal.number() + r.unit
	}

	return "-"
}

// writeTable writes the rows as a table with aligned columns.
func writeTable(w io.Writer, rows []row) error {
	lines := [][4]string{{"", "measured", "goal", ""}}
	for _, r := range rows {
		lines = append(lines, [4]string{r.what, r.number(r.measured), r.goalText(), r.verdict()})
	}
	var width [4]int
	for _, line := range lines {
		for i, cell := range line {
			width[i] = max(width[i], len(cell))
		}
	}
	for _, line := range lines {
		text := fmt.Sprintf("%-*s  %*s  %-*s  %s", width[0], line[0], width[1], line[1], width[2], line[2], line[3])
		if _, err := fmt.Fprintln(w, strings.TrimRight(text, " ")); err != nil {
			return err
		}
	}

	return nil
}

// failed reports whether a row misses its goal by more than the tolerance.
func failed(rows []row) bool {
	for _, r := range rows {
		if r.missed() > tolerance {
			return true
		}
	}

	return false
}
