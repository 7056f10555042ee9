package fix

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
)

// history has the edits of each file, round by round, so that places of one round are found in
// another.
type history map[string][]editRound

// editRound is the edits of one round in a file, in the order of their places.
type editRound struct {
	round int
	edits []diag.Edit
}

// record adds the edits of a round.
func (h history) record(path string, round int, edits []diag.Edit) {
	ordered := slices.Clone(edits)
	slices.SortStableFunc(ordered, func(a, b diag.Edit) int { return a.Span.Start - b.Span.Start })
	h[path] = append(h[path], editRound{round, ordered})
}

// extent is a part of a file, in bytes.
type extent struct{ start, end int }

// touches reports whether no byte is between two parts.
func (e extent) touches(other extent) bool { return e.start <= other.end && other.start <= e.end }

// final returns where a part of the file of a round is after all rounds. A part that an edit
// replaces becomes the new text.
func (h history) final(path string, part extent, round int) extent {
	for _, r := range h[path] {
		if r.round >= round {
			part = r.after(part)
		}
	}

	return part
}

// after returns where a part is after the edits. An edit that touches it becomes a part of it.
func (r editRound) after(part extent) extent {
	shift := 0 // of what is behind the edits so far
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

// original returns where a place of the file of a round was before all rounds.
func (h history) original(path string, at, round int) int {
	for _, r := range slices.Backward(h[path]) {
		if r.round < round {
			at = r.before(at)
		}
	}

	return at
}

// before returns where a place was before the edits. A place in the new text of an edit was at the
// edit's start.
func (r editRound) before(at int) int {
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
