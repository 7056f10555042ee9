package check_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// A fix is only offered where the fix is certain: when it is applied its finding is gone, and at most one that it hid has
// come in its place.
func TestFixesMend(t *testing.T) {
	applied := 0
	casetest.Run(t, "testdata/err/*.txtar", func(t *testing.T, c *casetest.Case) {
		before := compile(t, c.Archive)
		for _, d := range before {
			if len(d.Fixes) == 0 {
				continue
			}
			applied++
			fixed := *c.Archive
			fixed.Files = slices.Clone(c.Files)
			apply(t, &fixed, d.Fixes[0])
			after := compile(t, &fixed)
			same := func(e *diag.Diagnostic) bool { return e.Check == d.Check && e.Message == d.Message }
			if len(after) > len(before) || slices.ContainsFunc(after, same) {
				t.Errorf("%s: after the fix %q there is\n%s", d.Check.Name, d.Fixes[0].Message, casetest.Text(t, after))
			}
		}
	})
	if applied < 10 {
		t.Errorf("only %d fixes were tried", applied)
	}
}

// apply makes the edits of a fix, the last of each file first.
func apply(t *testing.T, a *txtar.Archive, fix diag.Fix) {
	t.Helper()
	edits := slices.Clone(fix.Edits)
	slices.SortFunc(edits, func(x, y diag.Edit) int { return y.Span.Start - x.Span.Start })
	for _, e := range edits {
		for i, f := range a.Files {
			if f.Name == e.Span.File.Path {
				a.Files[i].Data = slices.Concat(f.Data[:e.Span.Start], []byte(e.New), f.Data[e.Span.End:])
			}
		}
	}
}
