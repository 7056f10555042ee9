package statemachine_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
)

// TestLinks: neither an import nor a prompt is read through a symbolic link, be it of the file or of a folder on the
// way.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"real/child.yaml": "steps: []\n",
		"real/prompt.md":  "Write.\n",
		"secret.md":       "A secret.\n",
		"project/workflow.yaml": `imports: {a: link.yaml, b: folder/child.yaml, c: real/child.yaml, d: gone.yaml}
agents:
  x: {model: "a:b", system_prompt: {from_file: folder/prompt.md}}
  y: {model: "a:b", system_prompt: {from_file: secret.md}}
  z: {model: "a:b", system_prompt: {from_file: real/prompt.md}}
steps: []
`,
		"project/real/child.yaml": "steps: []\n",
		"project/real/prompt.md":  "Write.\n",
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"link.yaml": "real/child.yaml", "folder": "../real", "secret.md": "../secret.md", "gone.yaml": "nowhere",
	} {
		if err := os.Symlink(target, filepath.Join(dir, "project", link)); err != nil {
			t.Skip("the file system has no links")
		}
	}

	agents, _, list := read(t, os.DirFS(filepath.Join(dir, "project")))
	const want = `workflow.yaml:1:14: error: import "link.yaml": "link.yaml" is a symbolic link, and the file has to be in the project itself [bad-value]
workflow.yaml:1:28: error: import "folder/child.yaml": "folder" is a symbolic link, and the file has to be in the project itself [bad-value]
workflow.yaml:1:70: error: import "gone.yaml": "gone.yaml" is a symbolic link, and the file has to be in the project itself [bad-value]
workflow.yaml:3:48: error: prompt "folder/prompt.md": "folder" is a symbolic link, and the file has to be in the project itself [bad-value]
workflow.yaml:4:48: error: prompt "secret.md": "secret.md" is a symbolic link, and the file has to be in the project itself [bad-value]
`
	if got := heads(casetest.Text(t, list.Sorted())); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if prompts := agents[0].Node.(*ir.Flow).Conversations; len(agents) != 2 || prompts[2].Prompt.Value != "Write.\n" {
		t.Errorf("%d workflows, prompt %q", len(agents), prompts[2].Prompt.Value)
	}
}

// heads drops the excerpts.
func heads(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if strings.Contains(line, "error:") {
			kept.WriteString(line)
		}
	}

	return kept.String()
}

// TestDepth: imports may be nested 32 deep, and no deeper; those of one file by many others are not nested.
func TestDepth(t *testing.T) {
	project := fstest.MapFS{}
	add := func(name, text string) { project[name] = &fstest.MapFile{Data: []byte(text)} }
	add("workflow.yaml", "imports: {next: parts/f1.yaml}\nsteps: [{name: a, uses: imports.next}]\n")
	for i := 1; i < 40; i++ {
		add(fmt.Sprintf("parts/f%d.yaml", i), fmt.Sprintf("imports: {next: f%d.yaml}\nsteps: [{name: a, uses: imports.next}]\n", i+1))
	}
	agents, _, list := read(t, project)
	findings := list.Sorted()
	if len(findings) != 1 || findings[0].Check != diag.BadValue || findings[0].Span.File.Path != "parts/f32.yaml" || len(agents) != 33 {
		t.Errorf("%d workflows, findings:\n%s", len(agents), casetest.Text(t, findings))
	}
}

var errBroken = errors.New("the disk is broken")

// TestUnreadable: what cannot be read is an error, and neither a finding nor a panic.
func TestUnreadable(t *testing.T) {
	project := fstest.MapFS{
		"workflow.yaml": {Data: []byte("imports: {a: a.yaml}\n" +
			"agents: {x: {model: 'a:b', system_prompt: {from_file: p.md}}}\nsteps: []\n")},
		"a.yaml": {Data: []byte("steps: []\n")},
		"p.md":   {Data: []byte("Write.\n")},
	}
	for name := range project {
		p := frontend.New(brokenFile{project, name}, &diag.List{})
		set := statemachine.New(p, "workflow.yaml")
		set.Find()
		set.Read()
		set.Lower()
		if !errors.Is(p.Err, errBroken) {
			t.Errorf("%s: error %v", name, p.Err)
		}
	}
}

// brokenFile is a file system of which one file cannot be read.
type brokenFile struct {
	fs.FS
	name string
}

func (b brokenFile) Open(name string) (fs.File, error) {
	f, err := b.FS.Open(name)
	if err == nil && name == b.name {
		return unreadable{f}, nil
	}

	return f, err
}

type unreadable struct{ fs.File }

func (unreadable) Read([]byte) (int, error) { return 0, errBroken }
