package expr_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// outcome is what became of a text.
type outcome struct {
	read  string // what was read; "" if nothing was
	nodes []ir.Expression
	found []*diag.Diagnostic
}

// readText reads a text of a case: the fields are called formula, key, template, datum and place.
func readText(what string, text ir.Text, scope *expr.Scope) outcome {
	switch what {
	case "formula", "key":
		use := map[string]expr.Use{"formula": expr.Condition, "key": expr.Key}[what]
		if f, found := expr.ParseFormula(text, scope, use); f != nil {
			return outcome{dump(f.Root), []ir.Expression{f.Root}, found}
		} else {
			return outcome{found: found}
		}
	case "template":
		if t, found := expr.ParseTemplate(text, scope); t != nil {
			return outcome{dumpParts(t.Parts), valuesOf(t.Parts), found}
		} else {
			return outcome{found: found}
		}
	case "datum":
		d, found := expr.ParseDatum(text, scope)
		switch {
		case d == nil:
			return outcome{found: found}
		case d.Kind == ir.DatumValue:
			return outcome{"value " + dump(d.Value), []ir.Expression{d.Value}, found}
		}
		return outcome{"text " + dumpParts(d.Text.Parts), valuesOf(d.Text.Parts), found}
	case "place":
		p, typ, found := expr.ParsePath(text, scope.Names[0])
		if p == nil {
			return outcome{found: found}
		}
		var names []string
		for _, name := range p.Path {
			names = append(names, name.Value)
		}
		read := strings.Join(names, "/")
		if typ.Schema != nil {
			read += " <" + kindName(typ.Schema) + ">"
		}
		return outcome{read: read, found: found}
	}

	panic("a case has a field " + what)
}

// valuesOf are the expressions of a template.
func valuesOf(parts []ir.Part) []ir.Expression {
	var all []ir.Expression
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Placeholder:
			all = append(all, part.Values...)
		case *ir.IfPart:
			all = append(append(all, part.Cond), valuesOf(part.Body)...)
		case *ir.EachPart:
			all = append(append(all, part.Items), valuesOf(part.Body)...)
		}
	}

	return all
}

// textCase is an archive: scope.yaml is what the place offers, texts.yaml has lists of texts, want is what becomes of
// them.
type textCase struct {
	*casetest.Case
	file  *source.File
	root  *yamldoc.Node
	scope *expr.Scope
}

// eachCase runs a test for each archive in a folder.
func eachCase(t *testing.T, folder string, test func(t *testing.T, c textCase)) {
	t.Helper()
	casetest.Run(t, "testdata/"+folder+"/*.txtar", func(t *testing.T, c *casetest.Case) {
		file := source.NewFile("texts.yaml", c.File("texts.yaml"))
		root, found := yamldoc.Parse(file)
		if len(found) > 0 {
			t.Fatal(found[0].Message)
		}
		test(t, textCase{c, file, root, scopeOf(t, parseYAML(t, "scope.yaml", c.File("scope.yaml")))})
	})
}

// eachText reads the texts of a case in their order.
func (c textCase) eachText(see func(n *yamldoc.Node, o outcome)) {
	for _, f := range c.root.Fields {
		for _, n := range f.Value.Items {
			see(n, readText(f.Key.Text, ir.Text{Value: n.Text, Span: n.Span}, c.scope))
		}
	}
}

// TestOK: each text gives what the case says, without a finding.
func TestOK(t *testing.T) {
	eachCase(t, "ok", func(t *testing.T, c textCase) {
		var b strings.Builder
		c.eachText(func(n *yamldoc.Node, o outcome) {
			for _, d := range o.found {
				t.Errorf("%s: %s: %s", n.Text, d.Check.Name, d.Message)
			}
			fmt.Fprintf(&b, "%s\n    %s\n", strings.ReplaceAll(n.Text, "\n", "\n  "), o.read)
		})
		c.Want(t, "want", b.String())
	})
}

// TestErr: the texts give the findings of the case, and what --fix makes of them.
func TestErr(t *testing.T) {
	eachCase(t, "err", func(t *testing.T, c textCase) {
		list := &diag.List{}
		var fixes []diag.Edit
		c.eachText(func(n *yamldoc.Node, o outcome) {
			if len(o.found) == 0 {
				t.Errorf("nothing is found in %s", n.Text)
			}
			list.Add(o.found...)
			for _, d := range o.found {
				if len(d.Fixes) > 0 {
					fixes = append(fixes, d.Fixes[0].Edits...)
				}
			}
		})
		got := casetest.Text(t, list.Sorted())
		if len(fixes) > 0 {
			got += "\nfixed:\n" + changedLines(c.file, fixed(c.file, fixes))
		}
		c.Want(t, "want", got)
	})
}

// fixed applies edits.
func fixed(file *source.File, edits []diag.Edit) string {
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].Span.Start < edits[j].Span.Start })
	text := string(file.Bytes)
	for i := len(edits) - 1; i >= 0; i-- {
		e := edits[i]
		text = text[:e.Span.Start] + e.New + text[e.Span.End:]
	}

	return text
}

// changedLines are the lines that differ.
func changedLines(file *source.File, text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if line != file.Line(i+1) {
			fmt.Fprintf(&b, "%d: %s\n", i+1, line)
		}
	}

	return b.String()
}
