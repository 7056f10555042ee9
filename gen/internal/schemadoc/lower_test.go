package schemadoc

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

var update = flag.Bool("update", false, "write what the tests found into testdata")

// TestOK: schema.yaml becomes json, the schema as a model is shown it, without a finding.
func TestOK(t *testing.T) {
	each(t, "ok", func(t *testing.T, a *txtar.Archive) {
		s, found := lower(t, file(a, "schema.yaml"))
		if found != "" {
			t.Errorf("findings:\n%s", found)
		}
		if s == nil {
			t.Fatal("no schema")
		}
		expect(t, a, "json", s.JSON+"\n")
	})
}

// TestErr: schema.yaml gives exactly the findings; near.yaml, which is nearly the same, gives none.
func TestErr(t *testing.T) {
	each(t, "err", func(t *testing.T, a *txtar.Archive) {
		_, found := lower(t, file(a, "schema.yaml"))
		expect(t, a, "findings", found)
		if _, near := lower(t, file(a, "near.yaml")); near != "" {
			t.Errorf("near miss:\n%s", near)
		}
	})
}

func each(t *testing.T, folder string, test func(*testing.T, *txtar.Archive)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s: %v", folder, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			test(t, a)
			if *update {
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func file(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}

	return nil
}

func expect(t *testing.T, a *txtar.Archive, name, got string) {
	t.Helper()
	for i, f := range a.Files {
		if f.Name != name {
			continue
		}
		if *update {
			a.Files[i].Data = []byte(got)
		} else if got != string(f.Data) {
			t.Errorf("%s: got\n%swant\n%s", name, got, f.Data)
		}
		return
	}
	if !*update {
		t.Errorf("the case has no %s", name)
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(got)})
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
	for _, folder := range []string{"ok", "err"} {
		paths, _ := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
		for _, path := range paths {
			a, err := txtar.ParseFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(file(a, "schema.yaml"))
		}
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
