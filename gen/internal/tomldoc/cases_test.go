package tomldoc_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tomldoc"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// TestCases runs the cases of testdata. A case is a file NAME.toml beside the file NAME.want: the findings for
// one in err, the tree for one in ok.
func TestCases(t *testing.T) {
	casetest.Run(t, "testdata/*/*.txtar", func(t *testing.T, c *casetest.Case) {
		for i := 0; i+1 < len(c.Files); i += 2 {
			in, want := c.Files[i], c.Files[i+1].Name
			t.Run(strings.TrimSuffix(want, ".want"), func(t *testing.T) {
				c.Want(t, want, outcome(t, in, strings.Contains(c.Path, "/err/")))
			})
		}
	})
}

// outcome is what a case expects: the findings, or the tree.
func outcome(t *testing.T, in txtar.File, faulty bool) string {
	content := strings.NewReplacer("␍", "\r", "␇", "\a").Replace(string(in.Data)) // pictures of invisible characters
	f := source.NewFile(in.Name, []byte(content))
	root, found := tomldoc.Parse(f)
	checkFaulty(t, lines(found), faulty)
	if faulty {
		return lines(found)
	}
	var b strings.Builder
	dump(&b, root, "")

	return b.String()
}

func checkFaulty(t *testing.T, found string, faulty bool) {
	if (found != "") != faulty {
		t.Errorf("findings %q", found)
	}
}

// dump writes a tree, one node a line.
func dump(b *strings.Builder, n *yamldoc.Node, indent string) {
	if n == nil {
		return
	}
	p, e := n.Span.Pos(), n.Span.EndPos()
	fmt.Fprintf(b, "%s%s %d:%d-%d:%d", indent, n.Kind, p.Line, p.Column, e.Line, e.Column)
	if isScalar(n) {
		fmt.Fprintf(b, " %q = %v", n.Text, n.JSON())
	}
	b.WriteString("\n")
	if len(n.Items) > 40 {
		fmt.Fprintf(b, "%s  %d entries\n", indent, len(n.Items))
		return
	}
	for _, item := range n.Items {
		dump(b, item, indent+"  ")
	}
	for _, f := range n.Fields {
		fmt.Fprintf(b, "%s  %q:\n", indent, f.Key.Text)
		dump(b, f.Value, indent+"    ")
	}
}

func isScalar(n *yamldoc.Node) bool { return n.Kind != yamldoc.Map && n.Kind != yamldoc.Seq }

// lines writes findings as the expectations of the cases do.
func lines(found []*diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range found {
		p, e := d.Span.Pos(), d.Span.EndPos()
		fmt.Fprintf(&b, "%d:%d-%d:%d: %s [%s]\n", p.Line, p.Column, e.Line, e.Column, d.Message, d.Check.Name)
		if d.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", d.Hint)
		}
		for _, r := range d.Related {
			fmt.Fprintf(&b, "  note %d:%d: %s\n", r.Span.Pos().Line, r.Span.Pos().Column, r.Message)
		}
		for _, x := range d.Fixes {
			fmt.Fprintf(&b, "  fix: %s\n", x.Message)
		}
	}

	return b.String()
}
