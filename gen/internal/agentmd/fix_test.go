package agentmd_test

import (
	"sort"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// TestFixesCure applies the first fix of each finding of every case, one at a time: the finding is gone then, and no file
// has a syntax error that it did not have before.
func TestFixesCure(t *testing.T) {
	applied := 0
	for _, c := range casetest.Read(t, "testdata/*/*.txtar") {
		project := c.Project(expectations...)
		_, before := load(t, project)
		for _, d := range before {
			if len(d.Fixes) == 0 {
				continue
			}
			applied++
			_, after := load(t, fixed(project, d.Fixes[0]))
			if count(after, d.Check) >= count(before, d.Check) || count(after, diag.Syntax) > count(before, diag.Syntax) {
				t.Errorf("%s: %q does not cure %q", c.Path, d.Fixes[0].Message, d.Message)
			}
		}
	}
	if applied < 10 {
		t.Errorf("only %d fixes: the test saw nothing", applied)
	}
}

func count(findings []*diag.Diagnostic, check *diag.Check) int {
	n := 0
	for _, d := range findings {
		if d.Check == check {
			n++
		}
	}

	return n
}

// fixed returns the project with the edits of a fix, last edit first, so that the places of the others stay right.
func fixed(project fstest.MapFS, fix diag.Fix) fstest.MapFS {
	changed := fstest.MapFS{}
	for name, file := range project {
		changed[name] = file
	}
	edits := append([]diag.Edit(nil), fix.Edits...)
	sort.Slice(edits, func(i, j int) bool { return edits[j].Span.Before(edits[i].Span) })
	for _, edit := range edits {
		path := edit.Span.File.Path
		text := string(changed[path].Data)
		text = strings.Join([]string{text[:edit.Span.Start], edit.New, text[edit.Span.End:]}, "")
		changed[path] = &fstest.MapFile{Data: []byte(text)}
	}

	return changed
}
