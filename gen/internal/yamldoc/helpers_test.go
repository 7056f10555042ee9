package yamldoc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// parse parses text and fails the test if there is a finding.
func parse(t *testing.T, text string) *yamldoc.Node {
	t.Helper()
	root, found := yamldoc.Parse(source.NewFile("a.yaml", []byte(text)))
	for _, d := range found {
		t.Errorf("%q: unexpected finding %s", text, line(d))
	}
	if root == nil {
		t.FailNow()
	}

	return root
}

// line writes a finding as the expectations of these tests do.
func line(d *diag.Diagnostic) string {
	p, e := d.Span.Pos(), d.Span.EndPos()
	s := fmt.Sprintf("%d:%d-%d:%d: %s [%s]", p.Line, p.Column, e.Line, e.Column, d.Message, d.Check.Name)
	if d.Hint != "" {
		s += "\n  hint: " + d.Hint
	}
	for _, r := range d.Related {
		s += fmt.Sprintf("\n  note %d:%d: %s", r.Span.Pos().Line, r.Span.Pos().Column, r.Message)
	}
	for _, f := range d.Fixes {
		s += "\n  fix: " + f.Message
	}

	return s
}

func lines(found []*diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range found {
		b.WriteString(line(d) + "\n")
	}

	return b.String()
}

// walk calls visit for every value below n and for every key, parents first. Values of aliases are not entered.
func walk(n *yamldoc.Node, visit func(n *yamldoc.Node)) {
	visit(n)
	if strings.HasPrefix(n.Span.Text(), "*") && !n.Quoted {
		return
	}
	for _, item := range n.Items {
		walk(item, visit)
	}
	for _, f := range n.Fields {
		visit(f.Key)
		walk(f.Value, visit)
	}
}

func isScalar(n *yamldoc.Node) bool { return n.Kind != yamldoc.Map && n.Kind != yamldoc.Seq }
