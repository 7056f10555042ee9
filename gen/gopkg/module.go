package gopkg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Agentc is the module path of agentc.
const Agentc = "github.com/agentc-dev/agentc"

// UsesAgentc reports whether dir lies in a Go module that is agentc or requires it, so that code in dir can import the
// runtime. The error is that of a go command that is absent or cannot read the module.
func UsesAgentc(ctx context.Context, dir string) (bool, error) {
	gomod, err := goCommand(ctx, dir, "env", "GOMOD")
	if err != nil {
		return false, err
	}
	if file := strings.TrimSpace(string(gomod)); file == "" || filepath.Base(file) != "go.mod" {
		return false, nil
	}
	out, err := goCommand(ctx, dir, "list", "-m", "-e", "-json=Path,Error", Agentc)
	if err != nil {
		return false, err
	}
	var module struct {
		Error *struct{ Err string }
	}
	if err := json.Unmarshal(out, &module); err != nil {
		return false, fmt.Errorf("go list -m: %w", err)
	}
	if module.Error == nil {
		return true, nil
	}
	if strings.Contains(module.Error.Err, "not a known dependency") {
		return false, nil
	}

	return false, errors.New(module.Error.Err)
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
