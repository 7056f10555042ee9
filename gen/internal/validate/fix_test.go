package validate_test

import (
	"path"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// TestFixesMend applies each fix of each wrong case: the finding is gone, and there are not more than before.
func TestFixesMend(t *testing.T) {
	fixes := 0
	casetest.Run(t, "testdata/err/*.txtar", func(t *testing.T, c *casetest.Case) {
		for i := 0; i < len(c.Files); i += 2 {
			in := c.Files[i]
			before := findings(t, in)
			for _, d := range before {
				for _, fix := range d.Fixes {
					fixes++
					t.Run(path.Join(in.Name, fix.Message), func(t *testing.T) {
						after := findings(t, txtar.File{Name: in.Name, Data: apply(in.Data, fix)})
						if len(after) > len(before) {
							t.Errorf("before\n%safter\n%s", lines(before), lines(after))
						}
						for _, left := range after {
							if left.Message == d.Message && left.Span.Pos() == d.Span.Pos() {
								t.Errorf("still there: %s", d.Message)
							}
						}
					})
				}
			}
		}
	})
	if fixes < 10 {
		t.Errorf("%d fixes are too few", fixes)
	}
}

func apply(text []byte, fix diag.Fix) []byte {
	text = slices.Clone(text)
	edits := slices.Clone(fix.Edits)
	slices.SortFunc(edits, func(a, b diag.Edit) int { return b.Span.Start - a.Span.Start })
	for _, e := range edits {
		text = slices.Concat(text[:e.Span.Start], []byte(e.New), text[e.Span.End:])
	}

	return text
}
