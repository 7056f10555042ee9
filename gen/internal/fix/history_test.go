package fix

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// TestHistoryFindsPlacesOfOtherRounds follows parts of a file through two rounds of edits.
func TestHistoryFindsPlacesOfOtherRounds(t *testing.T) {
	edit := func(text string, start, end int, newText string) diag.Edit {
		return diag.Edit{Span: source.Span{File: source.NewFile("f", []byte(text)), Start: start, End: end}, New: newText}
	}
	h := history{}
	first := "ab cd ef"
	h.recordRound("f", 0, []diag.Edit{edit(first, 6, 8, "F"), edit(first, 0, 2, "aabb")})
	second := "aabb cd F"
	h.recordRound("f", 1, []diag.Edit{edit(second, 5, 7, "")})
	cases := []struct {
		name  string
		part  extent
		round int
		want  extent
	}{
		{"an edit of the first round", extent{0, 2}, 0, extent{0, 4}},
		{"one behind edits that grow and remove", extent{6, 8}, 0, extent{5 + 1, 7}},
		{"a part that a later round removes", extent{3, 5}, 0, extent{5, 5}},
		{"a part of the second round", extent{8, 9}, 1, extent{6, 7}},
		{"a part after all rounds", extent{2, 3}, 2, extent{2, 3}},
		{"a part of several edits", extent{1, 7}, 0, extent{0, 7}},
	}
	for _, c := range cases {
		if got := h.mapForward("f", c.part, c.round); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	for at, want := range map[int]int{0: 0, 3: 0, 4: 2, 5: 5, 6: 6} {
		if got := h.mapBack("f", at, 2); got != want {
			t.Errorf("%d was at %d, want %d", at, got, want)
		}
	}
	if got := h.mapForward("other", extent{3, 4}, 0); got != (extent{3, 4}) {
		t.Errorf("another file: %v", got)
	}
}
