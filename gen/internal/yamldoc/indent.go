package yamldoc

import (
	"bytes"
	"slices"
	"strings"
)

// A wrong indentation is often noticed at a later line: a row that is two spaces too far left is
// noticed at the next row. So the search tries to move each line until the text is YAML again. If
// several changes work, the one with the most regular text wins.

const (
	repairBytes = 32 << 10 // the maximum size of a text: each attempt reads all of it
	repairLines = 12       // the maximum distance between a wrong line and the failing one
)

// reindent is a change of the indentation of a line.
type reindent struct {
	line, to int
	score    int // the irregularity of the resulting text, and the distance of the move
}

// findReindent looks for the line with the wrong indentation, at offset last or above.
func (d *explainer) findReindent(last int) (best reindent, ok bool) {
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
			r := reindent{line: line, to: to, score: irregularity(text) + max(to-from, from-to)}
			isDeeper := r.score == best.score && r.line == best.line && r.to > best.to
			if !ok || r.score < best.score || isDeeper {
				best, ok = r, true
			}
		}
	}

	return best, ok
}

// linesUpTo returns the starts of the last lines with text up to the one at offset last, in order.
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

// irregularity rates a text by its number of different indentations, and its lines with an odd one.
func irregularity(text []byte) int {
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
