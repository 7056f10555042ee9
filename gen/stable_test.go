package gen_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/emit"
)

// An edit of a project, and the generated files of agents that it may change. What is shared may always change.
type edit struct {
	name    string
	file    string
	old     string // "" makes the file
	new     string
	changes []string
}

const newAgent = "---\nname: zebra\ndescription: New.\nversion: 1\npattern: oneshot\n---\n\nNew.\n"

var supportEdits = []edit{
	{"an agent", "agents/zebra/AGENT.md", "", newAgent, []string{"zebra_gen.go"}},
	{"an agent before all others", "agents/aardvark/AGENT.md", "", strings.ReplaceAll(newAgent, "zebra", "aardvark"),
		[]string{"aardvark_gen.go"}},
	{"a line of prose", "agents/review/AGENT.md", "helps.", "helps.\nAnd be kind.", []string{"review_gen.go"}},
	{"another description", "agents/triage/AGENT.md", "Classifies a message.", "Sorts messages.", []string{"triage_gen.go"}},
	{"a key and its row", "agents/support/AGENT.md", "    - urgent: on-call\n", "    - urgent: on-call\n    - other: done\n",
		[]string{"support_gen.go"}},
	{"a row that stays inside", "agents/technical/AGENT.md", "    - guess: diagnose\n", "    - guess: diagnose\n    - again: diagnose\n",
		[]string{"technical_gen.go"}},
	{"a state", "agents/on-call/AGENT.md", "  page: ~\n", "  page: reply\n  reply: ~\n",
		[]string{"on-call_gen.go", "support_gen.go"}}, // the keys of support are those of the last agent of on-call, too
	{"a comment", "agents/on-call/AGENT.md", "  page: ~\n", "  page: ~ # the last word\n", nil},
	{"a limit", "agents/review/AGENT.md", "pattern: react\n", "pattern: react\nmax_iter: 3\n", []string{"review_gen.go"}},
	{"a skill", "skills/new/SKILL.md", "", "---\nname: new\ndescription: New.\n---\n\nNew.\n", nil},
}

// TestEditsStayWhereTheyAre: adding something to one file of a project changes no byte of another agent's Go, unless that
// agent finishes with other keys.
func TestEditsStayWhereTheyAre(t *testing.T) {
	files := sourcesOf(t, "../examples/support")
	before := compileFS(t, files)
	for _, e := range supportEdits {
		t.Run(e.name, func(t *testing.T) {
			after := compileFS(t, edited(t, files, e))
			if after.HasErrors() {
				t.Fatal(casetest.Text(t, after.Diagnostics))
			}
			changed := changedFiles(before.Files, after.Files)
			for _, name := range e.changes {
				if !slices.Contains(changed, name) {
					t.Errorf("%s did not change", name)
				}
			}
			for _, name := range changed {
				if !slices.Contains(e.changes, name) && !strings.HasPrefix(name, "agentc_gen") {
					t.Errorf("%s changed", name)
				}
			}
		})
	}
}

// sourcesOf reads a project into memory, without its Go.
func sourcesOf(t *testing.T, dir string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	disk := os.DirFS(dir)
	err := fs.WalkDir(disk, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".go" {
			return err
		}
		content, err := fs.ReadFile(disk, name)
		files[name] = &fstest.MapFile{Data: content}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	return files
}

func edited(t *testing.T, files fstest.MapFS, e edit) fstest.MapFS {
	t.Helper()
	content := e.new
	if e.old != "" {
		old := string(files[e.file].Data)
		content = strings.Replace(old, e.old, e.new, 1)
		if content == old {
			t.Fatalf("%s does not have %q", e.file, e.old)
		}
	}
	changed := maps.Clone(files)
	changed[e.file] = &fstest.MapFile{Data: []byte(content)}

	return changed
}

// changedFiles returns the names of files that are new, gone or different.
func changedFiles(before, after []emit.File) []string {
	contents := map[string][]byte{}
	for _, f := range before {
		contents[f.Name] = f.Content
	}
	var changed []string
	for _, f := range after {
		if old, ok := contents[f.Name]; !ok || !bytes.Equal(old, f.Content) {
			changed = append(changed, f.Name)
		}
		delete(contents, f.Name)
	}
	for name := range contents {
		changed = append(changed, name)
	}

	return changed
}
