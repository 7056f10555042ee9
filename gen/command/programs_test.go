package command

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/names"
)

// TestProgramsCompile checks the programs that commands build, which are text here, so that a
// change of what they call is noticed. Each is put into the module of a part that it may import.
func TestProgramsCompile(t *testing.T) {
	sqlite, _ := names.PartOf("sqlite")
	for name, p := range map[string]struct{ module, source string }{
		"store reader": {"sqlite", strings.Replace(readerSource, "PART", sqlite.Path, 1)},
		"asker":        {"mcp", askerSource},
	} {
		t.Run(name, func(t *testing.T) {
			module, err := filepath.Abs("../../runtime/" + p.module)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			source, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
			files, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(module, "program", "main.go"): source}})
			if err != nil {
				t.Fatal(err)
			}
			for file, text := range map[string]string{source: p.source, overlay: string(files)} {
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("go", "build", "-overlay", overlay, "-o", os.DevNull, "./program")
			cmd.Dir = module
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
