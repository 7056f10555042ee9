package yamldoc

import (
	"bytes"
	"slices"
	"strings"
)

// The line at which an indentation stops making sense is often not the one that is wrong: a row that is two spaces too
// far left is noticed at the row below it. So the search turns round: which one line must be moved for the text to be
// YAML again? Where several would do, the most regular text is what was meant.

const (
	repairBytes = 32 << 10 // a longer text is not tried: each attempt reads all of it
	repairLines = 12       // how far up a wrong line may be from where it is noticed
)

// reindent is a line that has one indentation and should have another.
type reindent struct {
	line, to int
	score    int // how irregular the text is that it gives, and how far the line is moved
}

// repair looks for the one line, at offset last or above it, whose indentation is wrong.
func (d *explainer) repair(last int) (best reindent, ok bool) {
	if len(d.text) > repairBytes {
		return reindent{}, false
	}
	lines := d.linesUpTo(last)
	for _, line := range lines {
		from := d.indentOf(line)
		if line == 0 && from == 0 {
			continue
		}
		for _, to := range d.columnsNear(lines) {
			if to == from {
				continue
			}
			text := append(append(bytes.Clone(d.text[:line]), strings.Repeat(" ", to)...), d.text[line+from:]...)
			_, extra, err := decode(bytes.NewReader(text))
			if err != nil || extra {
				continue
			}
			r := reindent{line: line, to: to, score: irregular(text) + max(to-from, from-to)}
			if !ok || r.score < best.score || r.score == best.score && r.line == best.line && r.to > best.to {
				best, ok = r, true
			}
		}
	}

	return best, ok
}

// linesUpTo returns the starts of the last lines with text up to the one at offset last, in their order.
func (d *explainer) linesUpTo(last int) []int {
	lines := []int{last}
	for len(lines) < repairLines && lines[0] > 0 {
		above := lastLineWithText(d.text, lines[0])
		if above == lines[0] {
			break
		}
		lines = append([]int{above}, lines...)
	}

	return lines
}

// columnsNear returns the indentations of the lines, and two spaces more and less.
func (d *explainer) columnsNear(lines []int) []int {
	var columns []int
	for _, line := range lines {
		n := d.indentOf(line)
		columns = append(columns, max(n-2, 0), n, n+2)
	}
	slices.Sort(columns)

	return slices.Compact(columns)
}

// irregular weighs how unusual a text is: by how many different indentations its lines have, and how many of them are odd.
func irregular(text []byte) int {
	seen := map[int]bool{}
	odd := 0
	for line := range bytes.Lines(text) {
		if rest := bytes.TrimLeft(line, " "); len(bytes.TrimSpace(rest)) > 0 {
			n := len(line) - len(rest)
			seen[n] = true
			odd += n % 2
		}
	}

	return len(seen) + odd
}
