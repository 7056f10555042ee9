package gopkg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Module is the content of a go.mod.
type Module struct {
	// Dir is the folder of the go.mod.
	Dir string
	// Path is the path of the module.
	Path string
	// Requires are the requirements of the module, in the order of the file.
	Requires []Requirement
	// Tools are the import paths of its tools.
	Tools []string
}

// Requirement is a module and its version.
type Requirement struct{ Path, Version string }

// ModuleAround returns the module that contains the folder dir, or nil. It works without a go
// command. The error is a *ModuleError or that of reading the go.mod.
func ModuleAround(ctx context.Context, dir string) (*Module, error) {
	file, err := gomodAround(ctx, dir)
	// Only the go command knows which go.mod it uses. It is nearly always the nearest one.
	if errors.Is(err, ErrNoGo) {
		var above string
		above, err = gomodAbove(dir)
		file = filepath.Join(above, "go.mod")
	}
	if err != nil || file == "" {
		return nil, err
	}

	return ReadModule(file)
}

// ImportPath returns the import path of a folder inside the module. The folder need not exist or
// contain Go files.
func (m *Module) ImportPath(dir string) (string, error) {
	rel, err := filepath.Rel(m.Dir, dir)
	if err != nil {
		return "", err
	}

	return path.Join(m.Path, filepath.ToSlash(rel)), nil
}

// ModuleError means that the go command does not see the module that contains a folder.
type ModuleError struct {
	// Dir is the folder of the go.mod.
	Dir string
	// Reason is why, and Cure what the user can do.
	Reason, Cure string
}

func (e *ModuleError) Error() string {
	return fmt.Sprintf("the go command does not see the module in %s: %s; %s", e.Dir, e.Reason, e.Cure)
}

// gomodAround returns the go.mod that the go command uses in dir, or "". The error is a
// *ModuleError if the environment or a workspace keeps the go command from a go.mod.
func gomodAround(ctx context.Context, dir string) (string, error) {
	above, err := gomodAbove(dir)
	if err != nil || above == "" {
		return "", err
	}
	out, err := goCommand(ctx, dir, "env", "-json", "GOMOD", "GOWORK", "GO111MODULE")
	if err != nil {
		return "", err
	}
	var env struct{ GOMOD, GOWORK, GO111MODULE string }
	if err := json.Unmarshal(out, &env); err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	if env.GO111MODULE == "off" {
		return "", &ModuleError{above, "GO111MODULE=off turns modules off", "unset it: go env -u GO111MODULE, if go env -w has set it"}
	}
	if filepath.Base(env.GOMOD) != "go.mod" { // the go command ignores some
		return "", nil
	}
	if filepath.Base(env.GOWORK) == "go.work" {
		err = checkWorkspace(ctx, dir, filepath.Dir(env.GOMOD), env.GOWORK)
	}

	return env.GOMOD, err
}

// checkWorkspace returns a *ModuleError if a workspace does not list the module in a folder.
func checkWorkspace(ctx context.Context, dir, module, workspace string) error {
	out, err := goCommand(ctx, dir, "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	if slices.Contains(strings.Split(strings.TrimSpace(string(out)), "\n"), module) {
		return nil
	}
	from := filepath.Dir(workspace)
	listed, err := filepath.Rel(from, module)
	if err != nil {
		listed = module
	}

	return &ModuleError{module, workspace + " does not list it", "run in " + from + ": go work use " + localPath(filepath.ToSlash(listed))}
}

// Agentc is the module path of agentc.
const Agentc = "github.com/agentc-dev/agentc"

// UsesAgentc reports whether dir is in a Go module that is agentc or requires it, so that code in
// dir can import the runtime. It fails if there is no go command or if that cannot read the module.
func UsesAgentc(ctx context.Context, dir string) (bool, error) {
	file, err := gomodAround(ctx, dir)
	if err != nil || file == "" {
		return false, err
	}
	lacking, err := listMissing(ctx, dir, Agentc)

	return err == nil && len(lacking) == 0, err
}

// MissingModules returns the given modules that the Go module of dir does not require and that are
// not in its workspace. Outside a module it returns none. It fails if there is no go command or if
// that cannot read the module.
func MissingModules(ctx context.Context, dir string, modules []string) ([]string, error) {
	if len(modules) == 0 {
		return nil, nil
	}
	file, err := gomodAround(ctx, dir)
	if err != nil || file == "" {
		return nil, err
	}

	return listMissing(ctx, dir, modules...)
}

func listMissing(ctx context.Context, dir string, modules ...string) ([]string, error) {
	var lacking []string
	out, err := goCommand(ctx, dir, append([]string{"list", "-m", "-e", "-json=Path,Error"}, modules...)...)
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var module struct {
			Path  string
			Error *struct{ Err string }
		}
		err = decoder.Decode(&module)
		switch {
		case errors.Is(err, io.EOF):
			return lacking, nil
		case err != nil:
			return nil, fmt.Errorf("go list -m: %w", err)
		case module.Error == nil:
		case strings.Contains(module.Error.Err, "not a known dependency"):
			lacking = append(lacking, module.Path)
		default:
			return nil, errors.New(module.Error.Err)
		}
	}
}

// gomodAbove returns the folder of the go.mod in dir or above it, or "", which saves a call of the
// go command. Like the go command, it ignores a go.mod in the folder of temporary files.
func gomodAbove(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for ; ; dir = filepath.Dir(dir) {
		if hasGoMod(dir) && dir != filepath.Clean(os.TempDir()) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", nil
		}
	}
}

func hasGoMod(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "go.mod"))

	return err == nil && !info.IsDir()
}

// ErrNoGo means that there is no go command.
var ErrNoGo = errors.New("the go command is not in PATH; install Go 1.25 or later: https://go.dev/dl")

// Root returns the folder of the Go installation.
func Root(ctx context.Context) (string, error) {
	out, err := goCommand(ctx, "", "env", "GOROOT")

	return strings.TrimSpace(string(out)), err
}

func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, ErrNoGo
	}
	if err != nil && stderr.Len() > 0 {
		return nil, fmt.Errorf("go %s: %s", args[0], strings.TrimSpace(stderr.String()))
	}
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}

	return out, nil
}
