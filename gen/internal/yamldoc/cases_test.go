package yamldoc_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// TestCases runs the cases of testdata. A case is a file NAME.yaml or NAME.md beside the file NAME.want: the findings for
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

// invisible characters stand in the cases as pictures of themselves.
var invisible = strings.NewReplacer("␉", "\t", "␍", "\r", "␣", " ", "␀", "\x00", "␇", "\a")

// outcome is what a case expects: the findings, or the tree.
func outcome(t *testing.T, in txtar.File, faulty bool) string {
	f := source.NewFile(in.Name, []byte(invisible.Replace(string(in.Data))))
	var b strings.Builder
	if strings.HasSuffix(in.Name, ".md") {
		fm, found := yamldoc.ParseFrontmatter(f)
		checkFaulty(t, lines(found), faulty)
		b.WriteString(lines(found))
		dump(&b, fm.Head, "")
		p := fm.BodySpan.Pos()
		fmt.Fprintf(&b, "found %t, body at %d:%d: %q\n", fm.Found, p.Line, p.Column, fm.Body)
		return b.String()
	}
	root, found := yamldoc.Parse(f)
	checkFaulty(t, lines(found), faulty)
	if faulty {
		return lines(found)
	}
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
