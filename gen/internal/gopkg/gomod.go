package gopkg

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// Module is what a go.mod says.
type Module struct {
	// Dir is the folder of the go.mod.
	Dir string
	// Path is the path of the module.
	Path string
	// Requires are the modules that it requires, in their order.
	Requires []Requirement
	// Tools are the import paths of its tools.
	Tools []string
}

// Requirement is a module and its version.
type Requirement struct{ Path, Version string }

// ModuleAround returns the module that the folder dir is in, nil if it is in none. The error is that of a go command that
// is absent or cannot read the module.
func ModuleAround(ctx context.Context, dir string) (*Module, error) {
	file, err := gomodAround(ctx, dir)
	if err != nil || file == "" {
		return nil, err
	}
	out, err := goCommand(ctx, dir, "mod", "edit", "-json", file)
	if err != nil {
		return nil, err
	}
	var said struct {
		Module  struct{ Path string }
		Require []Requirement
		Tool    []struct{ Path string }
	}
	if err := json.Unmarshal(out, &said); err != nil {
		return nil, fmt.Errorf("go mod edit: %w", err)
	}
	m := &Module{Dir: filepath.Dir(file), Path: said.Module.Path, Requires: said.Require}
	for _, tool := range said.Tool {
		m.Tools = append(m.Tools, tool.Path)
	}

	return m, nil
}

// ImportPath returns the import path of a folder inside the module, whether or not there is Go in it, or the folder itself.
func (m *Module) ImportPath(dir string) (string, error) {
	rel, err := filepath.Rel(m.Dir, dir)
	if err != nil {
		return "", err
	}

	return path.Join(m.Path, filepath.ToSlash(rel)), nil
}

// gomodAround returns the go.mod that counts in dir; "" if there is none.
func gomodAround(ctx context.Context, dir string) (string, error) {
	if in, err := inModule(dir); err != nil || !in {
		return "", err
	}
	out, err := goCommand(ctx, dir, "env", "GOMOD") // it ignores some, and an environment may turn modules off
	if err != nil {
		return "", err
	}
	file := strings.TrimSpace(string(out))
	if filepath.Base(file) != "go.mod" {
		return "", nil
	}

	return file, nil
}
