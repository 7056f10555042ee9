package validate_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// FuzzDocument: whatever a document holds, validation ends, twice with the same findings, in source order, inside of the
// file and in our own words.
func FuzzDocument(f *testing.F) {
	names, _ := filepath.Glob("testdata/*/*.txtar")
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			head := strings.TrimSuffix(strings.TrimPrefix(string(file.Data), "---\n"), "---\n")
			if ext := filepath.Ext(file.Name); ext == ".md" || ext == ".yaml" {
				f.Add([]byte(head))
			}
		}
	}
	f.Add([]byte("a/b: 1\n\"~1\": 2\n\"%41\": {a b: c}\nstates: {\"a/~%2F\": [{\"%\": [x]}], \"\": 3}\npattern: fsm\n"))

	f.Fuzz(func(t *testing.T, content []byte) {
		file := source.NewFile("AGENT.md", content)
		root, syntax := yamldoc.Parse(file)
		if len(syntax) > 0 {
			return
		}
		for _, kind := range []validate.Kind{
			validate.Agent, validate.Step, validate.Resume, validate.Skill, validate.Config, validate.TamaConfig,
			validate.Workflow, validate.Prices, validate.Lock, validate.Script,
		} {
			found := validate.Document(kind, root, file)
			for i, d := range found {
				s := d.Span
				if s.File == nil || s.Start < 0 || s.Start > s.End || s.End > len(content) {
					t.Fatalf("%q at %d-%d of %d", d.Message, s.Start, s.End, len(content))
				}
				misformatted := strings.Contains(d.Message, "%!") && !bytes.Contains(content, []byte("%!"))
				if misformatted || !utf8.ValidString(d.Message) || d.Message == "" {
					t.Fatalf("message %q", d.Message)
				}
				if i > 0 && s.Before(found[i-1].Span) {
					t.Fatalf("%q stands before %q", d.Message, found[i-1].Message)
				}
			}
			again := validate.Document(kind, root, file)
			if !slices.Equal(strings.Split(lines(found), "\n"), strings.Split(lines(again), "\n")) {
				t.Fatalf("first\n%s\nthen\n%s", lines(found), lines(again))
			}
		}
	})
}
