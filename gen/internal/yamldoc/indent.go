package yamldoc

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"
)

// The line at which an indentation stops making sense is often not the one that is wrong: a row that stands two spaces too
// far left is noticed at the row below it. So the search turns round: which one line must be moved for the text to be
// YAML again? Where several would do, the most regular text is what was meant.

const (
	repairBytes = 32 << 10 // a longer text is not tried: each attempt reads all of it
	repairLines = 12       // how far up a wrong line may stand from where it is noticed
)

// reindent is a line that stands at one indentation and should stand at another.
type reindent struct {
	line, to int
	score    int // irregular lines of the text that it gives, the moved distance counted last
}

// repair looks for the one line, at offset last or above it, whose indentation is wrong.
func (d *explainer) repair(last int) (best reindent, ok bool) {
	if len(d.text) > repairBytes {
		return reindent{}, false
	}
	lines, unit := d.linesUpTo(last), usualStep(d.text)
	for _, line := range lines {
		from := d.indentOf(line)
		for _, to := range d.columnsNear(lines) {
			if to == from {
				continue
			}
			text := append(append(bytes.Clone(d.text[:line]), strings.Repeat(" ", to)...), d.text[line+from:]...)
			doc, extra, err := decode(bytes.NewReader(text))
			if err != nil || extra || !d.startsNodes(doc, reindent{line: line, to: to}, last) {
				continue
			}
			r := reindent{line: line, to: to, score: 100*irregular(text, unit) + max(to-from, from-to)}
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
	seen := map[int]bool{}
	var columns []int
	for _, line := range lines {
		n := d.indentOf(line)
		for _, c := range []int{n, n - 2, n + 2} {
			if c >= 0 && !seen[c] {
				seen[c] = true
				columns = append(columns, c)
			}
		}
	}

	return columns
}

// newlines counts the line breaks of a text as places does.
func newlines(text []byte) int { return len(newPlaces(text).lines) - 1 }

// startsNodes reports whether both the moved line and the line at offset last begin a node. A line that only goes on with
// the text above it is not moved.
func (d *explainer) startsNodes(doc *yaml.Node, moved reindent, last int) bool {
	column := d.indentOf(last)
	if moved.line == last {
		column = moved.to
	}

	return d.startsNode(doc, moved.line, moved.to) && d.startsNode(doc, last, column)
}

// startsNode reports whether a node begins where the text of a line does that is moved to a column, or behind its dashes.
func (d *explainer) startsNode(doc *yaml.Node, line, column int) bool {
	dashes := len(begins.Find(d.text[line:lineEnd(d.text, line)])) - d.indentOf(line)
	number := 1 + newlines(d.text[:line])

	return startsNode(doc, number, column+1) || startsNode(doc, number, column+1+dashes)
}

// startsNode reports whether a node begins at a place.
func startsNode(n *yaml.Node, line, column int) bool {
	if n.Line == line && n.Column == column {
		return true
	}
	for _, child := range n.Content {
		if startsNode(child, line, column) {
			return true
		}
	}

	return false
}

// eachStep calls visit for each line with text: how much deeper it is indented than the line that it belongs to (negative
// for one that belongs to none), and the line and the one above it.
func eachStep(text []byte, visit func(step int, line, above textLine)) {
	var open []int // indentations of the lines around the current one
	above := textLine{indent: -1}
	for _, s := range strings.Split(string(text), "\n") {
		line := textLine{body: strings.Trim(s, " \t\r")}
		line.indent = len(s) - len(strings.TrimLeft(s, " "))
		if line.body == "" || line.body[0] == '#' {
			continue
		}
		for len(open) > 0 && open[len(open)-1] >= line.indent {
			open = open[:len(open)-1]
		}
		step := -1
		if len(open) > 0 {
			step = line.indent - open[len(open)-1]
		}
		visit(step, line, above)
		open = append(open, line.indent)
		above = line
	}
}

type textLine struct {
	indent int
	body   string // without blanks around it
}

// usualStep returns the number of spaces by which most lines of a text are indented, 2 if as many as any other.
func usualStep(text []byte) int {
	counts := map[int]int{}
	eachStep(text, func(step int, _, _ textLine) { counts[step]++ })
	usual := 2
	for step := 1; step <= 8; step++ {
		if counts[step] > counts[usual] {
			usual = step
		}
	}

	return usual
}

// irregular weighs how unusual a text is: 2 for each line that is indented by another step than the usual one, 1 for a list
// at the indentation of its key, and 1 for a key without a value.
func irregular(text []byte, unit int) int {
	count := 0
	eachStep(text, func(step int, line, above textLine) {
		entry, key := strings.HasPrefix(line.body, "- "), strings.HasSuffix(above.body, ":")
		switch {
		case step >= 0 && step != unit, step < 0 && line.indent > 0:
			count += 2
		case key && line.indent == above.indent && entry:
			count++
		}
		if key && line.indent <= above.indent && !entry {
			count++
		}
	})

	return count
}
