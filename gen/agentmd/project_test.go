package agentmd_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/gen/agentmd"
)

func TestFindProject(t *testing.T) {
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
		"linked/agents/a":              {"linked", "agents/a/AGENT.md"},
	} {
		got, err := agentmd.FindProject(filepath.Join(dir, path))
		if err != nil || got != (agentmd.Place{Dir: filepath.Join(dir, want[0]), File: want[1]}) {
			t.Errorf("%s: got %v, %v", path, got, err)
		}
	}
	lone, err := agentmd.FindProject(filepath.Join(dir, "lone/flow.yaml"))
	if err != nil || lone != (agentmd.Place{Dir: filepath.Join(dir, "lone"), File: "flow.yaml", Alone: true}) {
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
		_, err := agentmd.FindProject(filepath.Join(dir, path))
		var none *agentmd.NotProjectError
		if !errors.As(err, &none) || none.Above != above || none.Path != filepath.Join(dir, path) {
			t.Errorf("%s: error %v", path, err)
		}
	}
	if _, err := agentmd.FindProject(filepath.Join(dir, "absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a path that does not exist: %v", err)
	}
}
