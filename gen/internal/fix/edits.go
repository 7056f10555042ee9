package fix

import (
	"bytes"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
)

// Apply returns content with the edits, whose spans refer to content and do not overlap. Their
// order matters only for insertions at the same offset.
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

// batch is the edits of several compatible fixes, by file.
type batch map[string][]diag.Edit

// addFix adds the edits of a fix, all or none, and reports whether it did. It rejects a fix with an
// edit outside of its file or in conflict with another one, and a fix that changes nothing.
func (b batch) addFix(f diag.Fix) bool {
	var taken []diag.Edit
	for _, e := range f.Edits {
		if !isInFile(e) || slices.ContainsFunc(taken, func(other diag.Edit) bool { return areAdjacent(e, other) }) {
			return false
		}
		taken = append(taken, e)
	}
	if !slices.ContainsFunc(taken, func(e diag.Edit) bool { return e.Span.Text() != e.New }) {
		return false
	}
	for _, e := range taken {
		if slices.ContainsFunc(b[e.Span.File.Path], func(other diag.Edit) bool { return e != other && conflicts(e, other) }) {
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

// isInFile reports whether the span of e is inside its file.
func isInFile(e diag.Edit) bool {
	s := e.Span
	return s.File != nil && 0 <= s.Start && s.Start <= s.End && s.End <= len(s.File.Bytes)
}

// areAdjacent reports whether two edits overlap or have no byte between them.
func areAdjacent(a, b diag.Edit) bool {
	return a.Span.File.Path == b.Span.File.Path && a.Span.Start <= b.Span.End && b.Span.Start <= a.Span.End
}

// conflicts reports whether two edits of a file may spoil each other: they are adjacent, or would
// write the same text for different texts. Of two misspellings of a field only one can be that
// field.
func conflicts(a, b diag.Edit) bool {
	return areAdjacent(a, b) || a.New != "" && a.New == b.New && a.Span.Text() != b.Span.Text()
}
