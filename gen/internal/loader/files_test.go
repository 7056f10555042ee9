package loader_test

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
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

const oneshot = "---\nname: a\ndescription: A.\nversion: 1\npattern: oneshot\n---\n\nDo it.\n"

// writeProject writes files, and links from name to target where the text begins with "->".
func writeProject(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		target, link := strings.CutPrefix(text, "->")
		var err error
		if link {
			err = os.Symlink(target, file)
		} else {
			err = os.WriteFile(file, []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}

	return dir
}

// TestLinks: links to folders and files of agents and skills are followed, broken ones to folders are no folders, and a
// circle of links ends.
func TestLinks(t *testing.T) {
	dir := writeProject(t, map[string]string{
		"elsewhere/AGENT.md":  oneshot,
		"elsewhere/prompt.md": strings.ReplaceAll(oneshot, "name: a", "name: b"),
		"agents/a":            "->../elsewhere",
		"agents/b/AGENT.md":   "->../../elsewhere/prompt.md",
		"agents/gone":         "->../nowhere",
		"agents/circle":       "->../agents",
	})
	list := &diag.List{}
	p, err := loader.Load(os.DirFS(dir), list)
	if err != nil || list.Len() > 0 || len(p.Agents) != 2 {
		t.Errorf("%d agents, error %v, findings:\n%s", len(p.Agents), err, casetest.Text(t, list.Sorted()))
	}
}

// TestLinksOutOfTheProject: nothing beside the project is read, whatever kind of file a link stands for.
func TestLinksOutOfTheProject(t *testing.T) {
	const critic = "---\nname: c\ndescription: d\nversion: '1'\npattern: critic\n---\nA blog.\n"
	dir := writeProject(t, map[string]string{
		"secret.md":                      "A secret.\n",
		"secret.yaml":                    "steps: []\n",
		"all/AGENT.md":                   oneshot,
		"project/agents/a":               "->../../all",
		"project/agents/b/AGENT.md":      "->../../../all/AGENT.md",
		"project/agents/c/AGENT.md":      critic,
		"project/agents/c/draft.md":      "->near.md",
		"project/agents/c/near.md":       "->../../../secret.md",
		"project/agents/c/critique.md":   "->" + filepath.Join(os.TempDir(), "absolute.md"),
		"project/agents/c/refine.md":     "->inside.txt",
		"project/agents/c/inside.txt":    "Refine it.\n",
		"project/skills/s/SKILL.md":      "->../../../secret.md",
		"project/workflows/w.yaml":       "->../../secret.yaml",
		"project/agentc.yaml":            "->../secret.yaml",
		"project/prices.yaml":            "->../secret.yaml",
		"project/agentc.lock":            "->../secret.yaml",
		"project/agents/circle/AGENT.md": "->AGENT.md",
	})
	list := &diag.List{}
	p, err := loader.Load(os.DirFS(filepath.Join(dir, "project")), list)
	if err != nil {
		t.Fatal(err)
	}
	findings := casetest.Text(t, list.Sorted())
	for _, file := range []string{"agents/a", "agents/b/AGENT.md", "agents/c/draft.md", "agents/c/critique.md", "skills/s/SKILL.md",
		"workflows/w.yaml", "agentc.yaml", "prices.yaml", "agentc.lock"} {
		if want := fmt.Sprintf("behind %q, a symbolic link out of the project", file); !strings.Contains(findings, want) {
			t.Errorf("no finding has %q", want)
		}
	}
	if t.Failed() || strings.Contains(findings, "refine") {
		t.Errorf("findings:\n%s", findings)
	}
	for _, f := range p.Files {
		if strings.Contains(string(f.Bytes), "secret") || strings.Contains(string(f.Bytes), "steps: []") {
			t.Errorf("%s was read: %q", f.Path, f.Bytes)
		}
	}
}

// TestNoWorkflowFiles: a folder and a broken link are no workflows, and no scripts either, whatever their names.
func TestNoWorkflowFiles(t *testing.T) {
	dir := writeProject(t, map[string]string{
		"workflows/a.yaml":           "steps: [{name: x}]\n",
		"workflows/folder.yaml/a":    "",
		"workflows/folder.yml/a":     "",
		"workflows/a.script.json/a":  "",
		"workflows/gone.yaml":        "->nowhere.yaml",
		"workflows/gone.script.json": "->nowhere.json",
	})
	list := &diag.List{}
	p, err := loader.Load(os.DirFS(dir), list)
	if err != nil || list.Len() > 0 || len(p.Agents) != 1 {
		t.Errorf("error %v, findings:\n%s", err, casetest.Text(t, list.Sorted()))
	}
}

// TestScriptLinks: a script is not read through a link, be it of the file or of a folder on the way.
func TestScriptLinks(t *testing.T) {
	dir := writeProject(t, map[string]string{
		"agents/a/AGENT.md": oneshot,
		"real/s.yaml":       "a: [{say: x}]\n",
		"link.yaml":         "->real/s.yaml",
		"folder":            "->real",
		"agentc.yaml":       "models: {default: 'script:link.yaml', worker: 'script:folder/s.yaml', near: 'script:real/s.yaml'}\n",
	})
	list := &diag.List{}
	p, err := loader.Load(os.DirFS(dir), list)
	if err != nil {
		t.Fatal(err)
	}
	const want = `agentc.yaml:1:19: error: model "script:link.yaml": "link.yaml" is a symbolic link, ` +
		`and the file has to be in the project itself [bad-value]
agentc.yaml:1:47: error: model "script:folder/s.yaml": "folder" is a symbolic link, ` +
		`and the file has to be in the project itself [bad-value]
`
	if got := heads(casetest.Text(t, list.Sorted())); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if len(p.Scripts) != 1 {
		t.Errorf("%d scripts, want the real one", len(p.Scripts))
	}
}

// heads drops the excerpts.
func heads(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if strings.Contains(line, "error:") || strings.Contains(line, "warning:") {
			kept.WriteString(line)
		}
	}

	return kept.String()
}

// broken is a file system in which one file or folder cannot be read.
type broken struct {
	fs.FS
	name string
}

var errBroken = errors.New("the disk is broken")

func (b broken) Open(name string) (fs.File, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errBroken}
	}

	return b.FS.Open(name)
}

// TestUnreadable: what cannot be read is an error that names it, and neither a finding nor a panic.
func TestUnreadable(t *testing.T) {
	project := fstest.MapFS{
		"agents/a/AGENT.md": {Data: []byte(oneshot)},
		"agents/c/draft.md": {Data: []byte("Draft.")},
		"agents/c/AGENT.md": {Data: []byte("---\nname: c\ndescription: C.\nversion: 1\npattern: critic\n---\n")},
		"agents/d/agent.md": {Data: []byte(oneshot)},
		"skills/s/SKILL.md": {Data: []byte("---\nname: s\ndescription: S.\n---\n")},
		"workflows/w.yaml": {Data: []byte("imports: {a: ../p/a.yaml}\n" +
			"agents: {x: {model: 'a:b', system_prompt: {from_file: ../p/p.md}}}\nsteps: []\n")},
		"p/a.yaml":    {Data: []byte("steps: []\n")},
		"p/p.md":      {Data: []byte("Write.\n")},
		"agentc.yaml": {Data: []byte("models: {default: 'script:s.yaml'}\n")},
		"tama.toml":   {Data: []byte("[project]\n")},
		"s.yaml":      {Data: []byte("a: [{say: x}]\n")},
	}
	names := []string{".", "agents", "agents/a", "skills", "skills/s", "workflows"}
	for name := range project {
		names = append(names, name)
	}
	for _, name := range names {
		p, err := loader.Load(broken{FS: project, name: name}, &diag.List{})
		var place *fs.PathError
		if !errors.Is(err, errBroken) || !errors.As(err, &place) || place.Path != name || p == nil {
			t.Errorf("%s: error %v and program %v", name, err, p)
		}
	}
}

// TestEncodings: a byte order mark and CRLF are accepted, and places count from the top of the file.
func TestEncodings(t *testing.T) {
	text := "\ufeff" + strings.ReplaceAll(strings.ReplaceAll(oneshot, "oneshot\n---", "oneshot\n---  "), "\n", "\r\n")
	list := &diag.List{}
	p, err := loader.Load(fstest.MapFS{"agents/a/AGENT.md": {Data: []byte(text)}}, list)
	if err != nil || list.Len() > 0 {
		t.Fatal(err, casetest.Text(t, list.Sorted()))
	}
	a := p.Agents[0]
	if at := a.Name.Span.Pos(); a.Prompt.Value != "Do it.\n" || at.Line != 2 || at.Column != 7 {
		t.Errorf("prompt %q, name at %v", a.Prompt.Value, at)
	}

	wrong := strings.Replace(oneshot, "Do it", "Do \xff it", 1)
	_, findings := loadFS(t, fstest.MapFS{"agents/a/AGENT.md": {Data: []byte(wrong)}})
	if len(findings) != 1 || findings[0].Check != diag.Syntax || findings[0].Span.Pos().Line != 8 {
		t.Errorf("a byte that is not UTF-8: %s", casetest.Text(t, findings))
	}
}

// TestNothing: a folder without any file is a program without agents.
func TestNothing(t *testing.T) {
	p, findings := loadFS(t, fstest.MapFS{})
	if len(findings) > 0 || len(p.Agents) > 0 || p.Package != "agents" {
		t.Errorf("package %s, %d agents, findings:\n%s", p.Package, len(p.Agents), casetest.Text(t, findings))
	}
}

// TestNoStepFiles: what bears the name of a step file and is none is a mistake like a missing one, and never waited for.
func TestNoStepFiles(t *testing.T) {
	dir := writeProject(t, map[string]string{
		"agents/a/AGENT.md":    strings.Replace(oneshot, "oneshot", "critic", 1),
		"agents/a/draft.md/a":  "A file in a folder.",
		"agents/a/critique.md": "->nowhere.md",
		"agents/a/refine.md":   "->/dev/null",
	})
	list := &diag.List{}
	if _, err := loader.Load(os.DirFS(dir), list); err != nil {
		t.Fatal(err)
	}
	const place = `agents/a/AGENT.md:5:10: error: step file "agents/a/`
	const want = place + `critique.md", which pattern "critic" needs, is a link that leads nowhere [undefined-step]
` + place + `draft.md", which pattern "critic" needs, is a folder [undefined-step]
` + place + `refine.md", which pattern "critic" needs, is behind "agents/a/refine.md", a symbolic link out of the project [undefined-step]
`
	if got := heads(casetest.Text(t, list.Sorted())); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
