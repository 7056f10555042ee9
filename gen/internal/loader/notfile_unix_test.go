//go:build unix

package loader_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

func namedPipe(t *testing.T, dir, name string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(file, 0o666); err != nil {
		t.Skipf("the file system has no named pipes: %v", err)
	}
}

// TestNoFiles: what bears the name of a project's file and is none is a mistake at its place, is never waited for, and its agent
// and skill are not missing besides.
func TestNoFiles(t *testing.T) {
	dir := writeProject(t, map[string]string{
		"agents/a/AGENT.md":           strings.Replace(oneshot, "pattern: oneshot", "pattern: react\ncall: {uses: [s]}", 1),
		"agents/folder/AGENT.md/file": "A file in a folder.",
		"agents/gone/AGENT.md":        "->nowhere.md",
		"agents/device/AGENT.md":      "->/dev/null",
		"agents/m/AGENT.md": "---\nname: m\ndescription: M.\nversion: 1\npattern: fsm\ninitial: a\n" +
			"states: {a: pipe, pipe: folder, folder: gone, gone: device, device: }\n---\n",
		"agentc.yaml/file": "",
		"elsewhere/pipe":   "",
	})
	for _, name := range []string{"agents/pipe/AGENT.md", "skills/s/SKILL.md", "tama.toml", "prices.yaml", "agents/spelled/agent.md", "real"} {
		namedPipe(t, dir, name)
	}
	if err := os.MkdirAll(filepath.Join(dir, "agents", "linked"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../real", filepath.Join(dir, "agents", "linked", "AGENT.md")); err != nil {
		t.Fatal(err)
	}
	list := &diag.List{}
	if _, err := loader.Load(os.DirFS(dir), list); err != nil {
		t.Fatal(err)
	}
	const want = `agentc.yaml: error: "agentc.yaml" is a folder, but only regular files are read [syntax]
agents/device/AGENT.md: error: "AGENT.md" is behind "agents/device/AGENT.md", a symbolic link out of the project, but only regular files are read [syntax]
agents/folder/AGENT.md: error: "AGENT.md" is a folder, but only regular files are read [syntax]
agents/gone/AGENT.md: error: "AGENT.md" is a link that leads nowhere, but only regular files are read [syntax]
agents/linked/AGENT.md: error: "AGENT.md" is a named pipe, but only regular files are read [syntax]
agents/pipe/AGENT.md: error: "AGENT.md" is a named pipe, but only regular files are read [syntax]
agents/spelled/agent.md: error: the file is called "agent.md", but only "AGENT.md" is read [invalid-name]
prices.yaml: error: "prices.yaml" is a named pipe, but only regular files are read [syntax]
skills/s/SKILL.md: error: "SKILL.md" is a named pipe, but only regular files are read [syntax]
tama.toml: error: "tama.toml" is a named pipe, but only regular files are read [syntax]
`
	if got := heads(casetest.Text(t, list.Sorted())); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestAPipeAlone: a workflow that is a project of its own is a file.
func TestAPipeAlone(t *testing.T) {
	dir := t.TempDir()
	namedPipe(t, dir, "w.yaml")
	_, err := loader.FindProject(filepath.Join(dir, "w.yaml"))
	var none *loader.NotProjectError
	if !errors.As(err, &none) || none.Instead != "a named pipe" {
		t.Errorf("error %v", err)
	}
}
