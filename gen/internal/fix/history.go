package fix

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
)

// history is the edits of each file, by round, to map positions between rounds.
type history map[string][]editRound

// editRound is the edits of one round in a file, ordered by position.
type editRound struct {
	round int
	edits []diag.Edit
}

// recordRound adds the edits of a round.
func (h history) recordRound(path string, round int, edits []diag.Edit) {
	ordered := slices.Clone(edits)
	slices.SortStableFunc(ordered, func(a, b diag.Edit) int { return a.Span.Start - b.Span.Start })
	h[path] = append(h[path], editRound{round, ordered})
}

// extent is a part of a file, in bytes.
type extent struct{ start, end int }

// touches reports whether two parts overlap or have no byte between them.
func (e extent) touches(other extent) bool { return e.start <= other.end && other.start <= e.end }

// mapForward returns the position, after all rounds, of a part of the file in some round. A part
// that an edit replaces becomes the new text.
func (h history) mapForward(path string, part extent, round int) extent {
	for _, r := range h[path] {
		if r.round >= round {
			part = r.mapForward(part)
		}
	}

	return part
}

// mapForward returns the position of a part after the edits. It includes the edits that touch the
// part.
func (r editRound) mapForward(part extent) extent {
	shift := 0 // of the text after the edits so far
	moved := part
	isEdited := false
	for _, e := range r.edits {
		if e.Span.Start > part.end {
			break
		}
		start := e.Span.Start + shift
		if e.Span.End >= part.start {
			if !isEdited {
				moved = extent{min(part.start+shift, start), 0}
			}
			isEdited = true
			moved.end = start + len(e.New)
		}
		shift += len(e.New) - (e.Span.End - e.Span.Start)
	}
	if !isEdited {
		return extent{part.start + shift, part.end + shift}
	}

	return extent{moved.start, max(moved.end, part.end+shift)}
}

// mapBack returns the offset, before all rounds, of an offset in the file of some round.
func (h history) mapBack(path string, at, round int) int {
	for _, r := range slices.Backward(h[path]) {
		if r.round < round {
			at = r.mapBack(at)
		}
	}

	return at
}

// mapBack returns an offset before the edits. An offset in the new text of an edit maps to its
// start.
func (r editRound) mapBack(at int) int {
	shift := 0
	for _, e := range r.edits {
		start := e.Span.Start + shift
		if at < start {
			break
		}
		if at < start+len(e.New) {
			return e.Span.Start
		}
		shift += len(e.New) - (e.Span.End - e.Span.Start)
	}

	return at - shift
}
