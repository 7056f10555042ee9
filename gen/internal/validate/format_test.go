package validate

import (
	"os"
	"testing"

	"github.com/agentc-dev/agentc/schema"
)

// What the working directory is called has nothing to do with the schemas.
func TestCompileInAnyFolder(t *testing.T) {
	for _, folder := range []string{"C#", "100%", "a?b", "x%41", "ä ö"} {
		t.Chdir(t.TempDir())
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Skipf("the file system has no folder %q: %v", folder, err)
		}
		t.Chdir(folder)
		text, _ := schema.Text("agent")
		if err := compile("agent", text).Validate(map[string]any{"nmae": "a"}); err == nil {
			t.Errorf("in %s nothing is refused", folder)
		}
	}
}
