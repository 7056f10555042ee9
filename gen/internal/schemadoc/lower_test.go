package schemadoc

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// TestOK: schema.yaml becomes json, the schema as a model is shown it, without a finding.
func TestOK(t *testing.T) {
	casetest.Run(t, "testdata/ok/*.txtar", func(t *testing.T, c *casetest.Case) {
		s, found := lower(t, c.File("schema.yaml"))
		if found != "" {
			t.Errorf("findings:\n%s", found)
		}
		if s == nil {
			t.Fatal("no schema")
		}
		c.Want(t, "json", s.JSON+"\n")
	})
}

// TestErr: schema.yaml gives exactly the findings; near.yaml, which is nearly the same, gives none.
func TestErr(t *testing.T) {
	casetest.Run(t, "testdata/err/*.txtar", func(t *testing.T, c *casetest.Case) {
		_, found := lower(t, c.File("schema.yaml"))
		c.Want(t, "findings", found)
		if _, near := lower(t, c.File("near.yaml")); near != "" {
			t.Errorf("near miss:\n%s", near)
		}
	})
}

// lower returns the schema and the findings, one a line.
func lower(t *testing.T, text []byte) (*ir.Schema, string) {
	t.Helper()
	n, broken := yamldoc.Parse(source.NewFile("schema.yaml", text))
	if len(broken) > 0 {
		t.Fatal(broken[0].Message)
	}
	s, found := Lower(n)

	return s, show(found)
}

func show(found []*diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range found {
		p := d.Span.Pos()
		fmt.Fprintf(&b, "%d:%d: %s: %s [%s]", p.Line, p.Column, d.Severity, d.Message, d.Check.Name)
		if d.Hint != "" {
			fmt.Fprintf(&b, " (%s)", d.Hint)
		}
		b.WriteByte('\n')
		for _, r := range d.Related {
			fmt.Fprintf(&b, "%d:%d: note: %s\n", r.Span.Pos().Line, r.Span.Pos().Column, r.Message)
		}
	}

	return b.String()
}

func TestLowerInputWantsAnObject(t *testing.T) {
	for text, want := range map[string]string{
		"type: string":             "1:7: error: the arguments of a tool must be of type object [wrong-type]\n",
		"{}":                       "1:1: error: the arguments of a tool must be of type object [wrong-type]\n",
		`type: [object, "null"]`:   "1:7: error: the arguments of a tool must be of type object [wrong-type]\n",
		"type: object":             "",
		"properties: {a: {}}":      "",
		"type: objet":              "1:7: error: \"objet\" is not a type: expected object, array, string, number, integer or boolean [bad-value] (did you mean \"object\"?)\n",
		"[not a schema, at all]\n": "1:1: error: expected a JSON Schema, which is a mapping, found a list [wrong-type]\n",
	} {
		n, _ := yamldoc.Parse(source.NewFile("schema.yaml", []byte(text)))
		s, found := LowerInput(n)
		if got := show(found); got != want {
			t.Errorf("%s: got\n%swant\n%s", text, got, want)
		}
		usable := want == "" || strings.Contains(want, "did you mean")
		if (s != nil) != usable {
			t.Errorf("%s: schema %v", text, s)
		}
	}
}

func TestDepthIsBounded(t *testing.T) {
	text := strings.Repeat("{items: ", 100) + "{}" + strings.Repeat("}", 100)
	if _, found := lower(t, []byte(text)); strings.Count(found, "\n") != 1 || !strings.Contains(found, "schema is too large") {
		t.Error(found)
	}
}

// References that double at each step would become more schemas than fit in memory.
func TestGrowthIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("$ref: '#/$defs/a0'\n$defs:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  a%d: {properties: {l: {$ref: '#/$defs/a%d'}, r: {$ref: '#/$defs/a%d'}}}\n", i, i+1, i+1)
	}
	b.WriteString("  a40: {}\n")
	if _, found := lower(t, []byte(b.String())); !strings.Contains(found, "schema is too large") || strings.Count(found, "\n") != 1 {
		t.Error(found)
	}
}

func FuzzLower(f *testing.F) {
	for _, c := range casetest.Read(f, "testdata/*/*.txtar") {
		f.Add(c.File("schema.yaml"))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n, broken := yamldoc.Parse(source.NewFile("schema.yaml", text))
		if len(broken) > 0 || n == nil {
			return
		}
		s, found := Lower(n)
		for _, d := range found {
			if !d.Span.IsValid() || d.Message == "" {
				t.Fatalf("a finding without a place or a message: %+v", d)
			}
		}
		if s == nil && len(found) == 0 {
			t.Fatal("neither a schema nor a finding")
		}
		if s != nil && !json.Valid([]byte(s.JSON)) {
			t.Fatalf("not JSON: %s", s.JSON)
		}
	})
}
