package fix

import (
	"bytes"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
)

// Apply returns content with the edits made, whose spans are those of content and do not overlap.
// Their order is of no importance, but for insertions at one place, which keep their order.
func Apply(content []byte, edits []diag.Edit) []byte {
	ordered := slices.Clone(edits)
	slices.SortStableFunc(ordered, func(a, b diag.Edit) int { return a.Span.Start - b.Span.Start })
	var edited bytes.Buffer
	at := 0
	for _, e := range ordered {
		edited.Write(content[at:e.Span.Start])
		edited.WriteString(e.New)
		at = e.Span.End
	}
	edited.Write(content[at:])

	return edited.Bytes()
}

// batch are edits of several fixes that can be made at once, by file.
type batch map[string][]diag.Edit

// add takes the edits of a fix, all of them or none. It reports whether it has: an edit that is
// outside of its file, that changes nothing, or that is in the way of another one is not taken.
func (b batch) add(f diag.Fix) bool {
	var taken []diag.Edit
	for _, e := range f.Edits {
		if !inside(e) || slices.ContainsFunc(taken, func(other diag.Edit) bool { return touch(e, other) }) {
			return false
		}
		taken = append(taken, e)
	}
	if !slices.ContainsFunc(taken, func(e diag.Edit) bool { return e.Span.Text() != e.New }) {
		return false
	}
	for _, e := range taken {
		if slices.ContainsFunc(b[e.Span.File.Path], func(other diag.Edit) bool { return e != other && inTheWay(e, other) }) {
			return false
		}
	}
	for _, e := range taken {
		if path := e.Span.File.Path; !slices.Contains(b[path], e) {
			b[path] = append(b[path], e)
		}
	}

	return true
}

// inside reports whether e has a place in a file.
func inside(e diag.Edit) bool {
	s := e.Span
	return s.File != nil && 0 <= s.Start && s.Start <= s.End && s.End <= len(s.File.Bytes)
}

// touch reports whether no byte is between two edits.
func touch(a, b diag.Edit) bool {
	return a.Span.File.Path == b.Span.File.Path && a.Span.Start <= b.Span.End && b.Span.Start <= a.Span.End
}

// inTheWay reports whether one fix may spoil what another does in the same file: edits that touch,
// and two texts that would become one. Of two misspellings of a field only one can be that field.
func inTheWay(a, b diag.Edit) bool {
	return touch(a, b) || a.New != "" && a.New == b.New && a.Span.Text() != b.Span.Text()
}
