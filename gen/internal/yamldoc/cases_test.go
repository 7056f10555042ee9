package yamldoc_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

var update = flag.Bool("update", false, "write what the cases of testdata give into them")

// TestCases runs the cases of testdata. A case is a file NAME.yaml or NAME.md beside the file NAME.want: the findings for
// one in err, the tree for one in ok.
func TestCases(t *testing.T) {
	archives, _ := filepath.Glob("testdata/*/*.txtar")
	if len(archives) == 0 {
		t.Fatal("no cases")
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(archive.Files); i += 2 {
			in, want := archive.Files[i], &archive.Files[i+1]
			name := strings.TrimSuffix(want.Name, ".want")
			t.Run(filepath.Join(path, name), func(t *testing.T) {
				if got := outcome(t, in, strings.Contains(path, "/err/")); *update {
					want.Data = []byte(got)
				} else if got != string(want.Data) {
					t.Errorf("got\n%s\nwant\n%s", got, want.Data)
				}
			})
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
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
