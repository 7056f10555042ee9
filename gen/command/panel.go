package command

import (
	"os"
	"path/filepath"

	"github.com/agentc-dev/agentc/gen/internal/names"
)

// panelFile is a file of package main that only an overlay has. Its import links the panel.
const (
	panelFile   = "agentc_panel_gen.go"
	panelSource = "package main\n\nimport _ \"" + names.PanelPath + "\"\n"
)

// canImportPanel reports whether the module of a folder has the package of the panel. A folder
// vendor has only the packages that the module imports itself.
func canImportPanel(dir string) bool {
	for {
		vendor := filepath.Join(dir, "vendor")
		if _, err := os.Stat(filepath.Join(vendor, "modules.txt")); err == nil {
			_, err := os.Stat(filepath.Join(vendor, filepath.FromSlash(names.PanelPath)))
			return err == nil
		}
		_, err := os.Stat(filepath.Join(dir, "go.mod"))
		parent := filepath.Dir(dir)
		if err == nil || parent == dir {
			return true
		}
		dir = parent
	}
}
