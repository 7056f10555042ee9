package loader_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/loader"
)

func TestFind(t *testing.T) {
	dir := writeProject(t, map[string]string{
		"outer/agents/a/AGENT.md":               oneshot,
		"outer/agents/a/draft.md":               "Draft.",
		"outer/skills/s/SKILL.md":               "",
		"outer/agentc.yaml":                     "",
		"outer/docs/readme.txt":                 "",
		"outer/inner/workflows/w.yaml":          "",
		"outer/inner/agents/empty/notes.txt":    "",
		"nothing/agents/a/agent.txt":            "",
		"misnamed/agents/a/agent.md":            oneshot,
		"misnamed/agents/notes.txt":             "",
		"nothing/agents/b/AGENT.md":             "->nowhere",
		"nothing/workflows/w.txt":               "",
		"nothing/loose/AGENT.md":                oneshot,
		"linked/agents/a":                       "->../../outer/agents/a",
		"outer/agents/a/nested/agents/b/b.yaml": "",
		"lone/flow.yaml":                        "steps: []\n",
		"lone/flow.yml":                         "steps: []\n",
		"lone/agentc.yaml":                      "",
		"short/workflows/w.yml":                 "steps: []\n",
	})
	for path, want := range map[string][2]string{
		"outer":                        {"outer", ""},
		"outer/agents/a":               {"outer", "agents/a/AGENT.md"},
		"outer/agents/a/AGENT.md":      {"outer", "agents/a/AGENT.md"},
		"outer/agents/a/draft.md":      {"outer", "agents/a/draft.md"},
		"outer/skills/s":               {"outer", "skills/s/SKILL.md"},
		"outer/agentc.yaml":            {"outer", "agentc.yaml"},
		"outer/inner":                  {"outer/inner", ""},
		"outer/inner/workflows/w.yaml": {"outer/inner", "workflows/w.yaml"},
		"linked":                       {"linked", ""},
		"misnamed":                     {"misnamed", ""},
		"short":                        {"short", ""},
		"linked/agents/a":              {"linked", "agents/a/AGENT.md"},
	} {
		got, err := loader.FindProject(filepath.Join(dir, path))
		if err != nil || got != (loader.Location{Dir: filepath.Join(dir, want[0]), File: want[1]}) {
			t.Errorf("%s: got %v, %v", path, got, err)
		}
	}
	lone, err := loader.FindProject(filepath.Join(dir, "lone/flow.yaml"))
	if err != nil || lone != (loader.Location{Dir: filepath.Join(dir, "lone"), File: "flow.yaml", Alone: true}) {
		t.Errorf("a workflow on its own: got %v, %v", lone, err)
	}
	for path, above := range map[string]bool{
		"nothing":                false,
		"nothing/agents":         false,
		"outer/docs":             false,
		"nothing/loose":          true,
		"nothing/loose/AGENT.md": true,
		"lone":                   false,
		"lone/agentc.yaml":       true,
		"lone/flow.yml":          true,
	} {
		_, err := loader.FindProject(filepath.Join(dir, path))
		var none *loader.NotProjectError
		if !errors.As(err, &none) || none.Above != above || none.Path != filepath.Join(dir, path) {
			t.Errorf("%s: error %v", path, err)
		}
	}
	if _, err := loader.FindProject(filepath.Join(dir, "absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a path that does not exist: %v", err)
	}
}

// TestAlmostProject tells of the file that would make a project of a folder.
func TestAlmostProject(t *testing.T) {
	dir := writeProject(t, map[string]string{
		"flat/agents/README.md":     "",
		"flat/agents/writer.md":     oneshot,
		"agent/agent/a/AGENT.md":    oneshot,
		"bare/writer/AGENT.md":      oneshot,
		"workflow/workflow/w.yaml":  "",
		"workflow/workflow/w.png":   "",
		"none/agents/README.md":     "",
		"none/agents/script.json":   "",
		"none/docs/writer.md":       "",
		"none/flows/deploy.yaml":    "",
		"none/workflows/README.txt": "",
	})
	for folder, want := range map[string]loader.NotProjectError{
		"flat":     {Almost: "agents/writer.md", Want: "agents/writer/AGENT.md"},
		"agent":    {Almost: "agent/a/AGENT.md", Want: "agents/a/AGENT.md"},
		"bare":     {Almost: "writer/AGENT.md", Want: "agents/writer/AGENT.md"},
		"workflow": {Almost: "workflow/w.yaml", Want: "workflows/w.yaml"},
		"none":     {},
	} {
		want.Path = filepath.Join(dir, folder)
		_, err := loader.FindProject(want.Path)
		var got *loader.NotProjectError
		if !errors.As(err, &got) || *got != want {
			t.Errorf("%s: got %v, want %v", folder, err, &want)
		}
	}
}
