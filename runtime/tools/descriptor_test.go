package tools_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/tools"
	"github.com/agentc-dev/agentc/runtime/tools/files"
	"github.com/agentc-dev/agentc/runtime/tools/shell"
	"github.com/agentc-dev/agentc/runtime/tools/web"
)

// TestEveryToolHasADescriptor: what a project turns on is a built-in tool that says how it is
// turned on, and each tool that a setting turns on is executed here. The others are those of the
// memory, which the engine executes.
func TestEveryToolHasADescriptor(t *testing.T) {
	opens := map[string]interface {
		Open(env func(string) (string, bool)) (map[string]tools.Tool, error)
	}{
		rt.FilesSetting: files.Tools{Root: t.TempDir()},
		rt.HostsSetting: web.Tools{Allow: []string{"api.example.com"}},
		rt.ShellSetting: shell.Tools{Dir: t.TempDir()},
	}
	executed := map[string]bool{}
	for setting, kind := range opens {
		opened, err := kind.Open(func(string) (string, bool) { return "", false })
		if err != nil || len(opened) == 0 {
			t.Fatalf("%s opens %d tools, and %v", setting, len(opened), err)
		}
		for name := range opened {
			executed[name] = true
			if spec := rt.Builtin(name); spec == nil || spec.Name != name {
				t.Errorf("%s has no descriptor", name)
			} else if is := rt.BuiltinFlow(name).Setting(); is != setting {
				t.Errorf("%s is turned on by %q, and its descriptor says %q", name, setting, is)
			}
		}
	}
	for _, name := range rt.Builtins() {
		if isOn := rt.BuiltinFlow(name).Setting() != ""; isOn != executed[name] {
			t.Errorf("%s: a setting turns it on is %v, a package executes it is %v", name, isOn, executed[name])
		}
	}
}
