package validate_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/lockfile"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tomldoc"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// TestErr runs the cases of testdata/err: a document CASE/FILE, whose name says its format, beside its findings CASE/want.
func TestErr(t *testing.T) {
	casetest.Run(t, "testdata/err/*.txtar", func(t *testing.T, c *casetest.Case) {
		for i := 0; i+1 < len(c.Files); i += 2 {
			in, want := c.Files[i], c.Files[i+1].Name
			t.Run(path.Dir(in.Name), func(t *testing.T) {
				got := lines(findings(t, in))
				c.Want(t, want, got)
				if got == "" {
					t.Error("nothing found")
				}
			})
		}
	})
}

// TestOK runs the cases of testdata/ok: documents in which nothing is to be found.
func TestOK(t *testing.T) {
	casetest.Run(t, "testdata/ok/*.txtar", func(t *testing.T, c *casetest.Case) {
		for _, in := range c.Files {
			t.Run(in.Name, func(t *testing.T) {
				if got := lines(findings(t, in)); got != "" {
					t.Errorf("found\n%s", got)
				}
			})
		}
	})
}

// findings parses and validates a document.
func findings(t testing.TB, in txtar.File) []*diag.Diagnostic {
	kind, root := parse(t, in)

	return validate.Document(kind, root, source.NewFile(path.Base(in.Name), in.Data))
}

// parse reads a document that has no syntax error.
func parse(t testing.TB, in txtar.File) (validate.Kind, *yamldoc.Node) {
	f := source.NewFile(path.Base(in.Name), in.Data)
	kinds := map[string]validate.Kind{
		"AGENT.md": validate.Agent, "step.md": validate.Step, "resume.md": validate.Resume, "SKILL.md": validate.Skill,
		"agentc.yaml": validate.Config, "tama.toml": validate.TamaConfig, "workflow.yaml": validate.Workflow, "prices.yaml": validate.Prices,
		lockfile.Name: validate.Lock,
	}
	kind, known := kinds[f.Path]
	if !known {
		t.Fatalf("what is %s?", in.Name)
	}

	var root *yamldoc.Node
	var found []*diag.Diagnostic
	switch kind {
	case validate.Config, validate.Workflow, validate.Prices:
		root, found = yamldoc.Parse(f)
	case validate.TamaConfig:
		root, found = tomldoc.Parse(f)
	case validate.Lock:
		root, found = yamldoc.ParseJSON(f)
	default:
		var doc *yamldoc.Frontmatter
		doc, found = yamldoc.ParseFrontmatter(f)
		root = doc.Head
	}
	if len(found) > 0 {
		t.Fatalf("%s: %s", in.Name, found[0].Message)
	}

	return kind, root
}

// lines writes findings as the cases expect them.
func lines(found []*diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range found {
		p := d.Span.Pos()
		fmt.Fprintf(&b, "%d:%d: %s: %s [%s] at %q\n", p.Line, p.Column, d.Severity, d.Message, d.Check.Name, d.Span.Text())
		if d.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", d.Hint)
		}
		for _, r := range d.Related {
			if at := r.Span.Pos(); at.IsValid() {
				fmt.Fprintf(&b, "  note %d:%d: %s\n", at.Line, at.Column, r.Message)
			} else {
				fmt.Fprintf(&b, "  note: %s\n", r.Message)
			}
		}
		for _, x := range d.Fixes {
			fmt.Fprintf(&b, "  fix: %s\n", x.Message)
		}
	}

	return b.String()
}
