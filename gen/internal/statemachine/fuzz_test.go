package statemachine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
)

// FuzzRead: any bytes in a workflow, in a file that it imports and in a prompt give workflows that hold together, and
// findings that stand in a file.
func FuzzRead(f *testing.F) {
	names, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(names) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var files [3][]byte
		for _, file := range txtar.Parse(text).Files {
			i := 2
			if filepath.Ext(file.Name) == ".yaml" {
				i = min(1, len(files[0]))
			}
			files[i] = file.Data
		}
		f.Add(files[0], files[1], files[2])
	}
	f.Fuzz(func(t *testing.T, workflow, child, prompt []byte) {
		project := fstest.MapFS{"workflow.yaml": {Data: workflow}}
		for _, name := range []string{"child.yaml", "parts/child.yaml", "clarification/pipeline.yaml"} {
			project[name] = &fstest.MapFile{Data: child}
		}
		for _, name := range []string{"prompt.md", "a.md", "clarification/prompt.md"} {
			project[name] = &fstest.MapFile{Data: prompt}
		}
		agents, _, list := read(t, project)
		for _, a := range agents {
			holdsTogether(t, a, list)
		}
		for _, d := range list.Sorted() {
			if s := d.Span; d.Message == "" || s.File == nil || s.Start > s.End || s.End > len(s.File.Bytes) {
				t.Errorf("finding %s %q stands nowhere", d.Check.Name, d.Message)
			}
			for _, fix := range d.Fixes {
				if strings.Contains(fix.Message, "%!") {
					t.Errorf("fix %q", fix.Message)
				}
			}
		}
	})
}
