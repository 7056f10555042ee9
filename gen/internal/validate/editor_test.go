package validate_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/schema"
)

// schemaOf names the schema that an editor uses for a file.
var schemaOf = map[string]string{
	"AGENT.md": "agent", "step.md": "step", "resume.md": "step", "SKILL.md": "skill", "agentc.yaml": "config",
	"tama.toml": "tama", "workflow.yaml": "workflow", "prices.yaml": "prices", "agentc.lock": "lock",
}

// editorRefuses reports whether a schema alone, as an editor reads it, refuses a document. In an empty one it sees nothing.
func editorRefuses(t *testing.T, in txtar.File) bool {
	t.Helper()
	name := schemaOf[path.Base(in.Name)]
	text, _ := schema.Text(name)
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	_, root := parse(t, in)

	return !root.IsNull() && c.MustCompile(name).Validate(root.JSON()) != nil
}

// TestEditorAgreesOnCases: an editor marks the documents in which the compiler finds errors, and no others. It does not know which
// fields a pattern or a kind uses.
func TestEditorAgreesOnCases(t *testing.T) {
	refused := 0
	casetest.Run(t, "testdata/err/*.txtar", func(t *testing.T, c *casetest.Case) {
		for i := 0; i < len(c.Files); i += 2 {
			in, errors := c.Files[i], 0
			for _, d := range findings(t, in) {
				if d.Severity == diag.Error && d.Check != diag.UnusedField {
					errors++
				}
			}
			if _, root := parse(t, in); root.IsNull() {
				continue // an editor sees no document
			}
			got := editorRefuses(t, in)
			if got != (errors > 0) {
				t.Errorf("%s: refused %v, and there are %d errors", in.Name, got, errors)
			}
			if got {
				refused++
			}
		}
	})
	casetest.Run(t, "testdata/ok/*.txtar", func(t *testing.T, c *casetest.Case) {
		for _, in := range c.Files {
			if editorRefuses(t, in) {
				t.Errorf("%s is refused", in.Name)
			}
		}
	})
	if refused < 30 {
		t.Errorf("only %d documents were refused", refused)
	}
}

// TestEditorAcceptsTheExamples: no file of the examples is marked.
func TestEditorAcceptsTheExamples(t *testing.T) {
	accepted := 0
	err := filepath.WalkDir("../../../examples", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || schemaOf[filepath.Base(file)] == "" {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if editorRefuses(t, txtar.File{Name: filepath.ToSlash(file), Data: data}) {
			t.Errorf("%s is refused", file)
		}
		accepted++
		return nil
	})
	if err != nil || accepted < 15 {
		t.Errorf("%d files: %v", accepted, err)
	}
}
