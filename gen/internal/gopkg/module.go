package gopkg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Agentc is the module path of agentc.
const Agentc = "github.com/agentc-dev/agentc"

// UsesAgentc reports whether dir lies in a Go module that is agentc or requires it, so that code in dir can import the
// runtime. The error is that of a go command that is absent or cannot read the module.
func UsesAgentc(ctx context.Context, dir string) (bool, error) {
	if file, err := gomodAround(ctx, dir); err != nil || file == "" {
		return false, err
	}
	out, err := goCommand(ctx, dir, "list", "-m", "-e", "-json=Path,Error", Agentc)
	if err != nil {
		return false, err
	}
	var module listedModule
	if err := json.Unmarshal(out, &module); err != nil {
		return false, fmt.Errorf("go list -m: %w", err)
	}
	if module.Error == nil {
		return true, nil
	}
	if module.unknown() {
		return false, nil
	}

	return false, errors.New(module.Error.Err)
}

// listedModule is a module as go list -m prints it.
type listedModule struct {
	Path  string
	Error *struct{ Err string }
}

// unknown reports whether nothing requires the module.
func (m listedModule) unknown() bool {
	return m.Error != nil && strings.Contains(m.Error.Err, "not a known dependency")
}

// inModule looks for go.mod in dir and above, as the go command does, which ignores one in the folder of temporary files; where
// there is none it need not be asked.
func inModule(dir string) (bool, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false, err
	}
	for ; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && !info.IsDir() && dir != filepath.Clean(os.TempDir()) {
			return true, nil
		}
		if dir == filepath.Dir(dir) {
			return false, nil
		}
	}
}

func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && stderr.Len() > 0 {
		return nil, fmt.Errorf("go %s: %s", args[0], strings.TrimSpace(stderr.String()))
	}
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}

	return out, nil
}
