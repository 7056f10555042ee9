package command

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/gopkg"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/templates"
)

// newProject is a project that is about to be written.
type newProject struct {
	scaffold
	name string
	// pkg is the package of the Go in the folder; "" if there is none.
	pkg  string
	from origin
}

// plan decides what is written. Where the folder has Go of its own, the program has a place where it does not disturb that.
func (n *newProject) plan(ctx context.Context) error {
	pkg, program, back := "main", ".", ""
	if n.pkg != "" {
		pkg, program, back = n.pkg, "./cmd/"+n.name, "../../"
	}
	n.files = templates.Fill(templates.Project, map[string]string{"name": n.name, "package": pkg})
	if n.p.dir != n.c.Dir {
		n.next = append(n.next, "cd "+cli.Quote(n.c.Rel(n.p.dir)))
	}
	path, err := n.planModule(ctx)
	if err != nil {
		return err
	}
	n.files = append(n.files, templates.Fill(templates.Program, map[string]string{
		"name": n.name, "program": program, "project": back, "generated": path + "/agents",
	})...)
	n.next = append(n.next, "go generate ./... && go test ./...", "go run "+program+` run "a toast to Ada"`)

	return nil
}

// planModule finds the module that the project belongs to, or makes it one, and returns the import path of the project folder.
func (n *newProject) planModule(ctx context.Context) (string, error) {
	around, err := gopkg.ModuleAround(ctx, nearestFolder(n.p.dir))
	if err != nil {
		return "", err
	}
	if around != nil {
		return n.joinModule(ctx, around)
	}
	if err := n.checkModuleName(ctx); err != nil {
		return "", err
	}
	files, err := n.from.moduleFiles(ctx, n.name)
	if err != nil {
		return "", err
	}
	n.files = append(append(n.files, templates.Fill(templates.Module, map[string]string{"name": n.name})...), files...)
	if n.from.dir == "" {
		n.next = append(n.next, "go mod tidy")
	}

	return n.name, nil
}

// joinModule puts the project into a module of the user's, and says what that lacks.
func (n *newProject) joinModule(ctx context.Context, m *gopkg.Module) (string, error) {
	path, err := m.ImportPath(n.p.dir)
	if err != nil {
		return "", err
	}
	uses, err := gopkg.UsesAgentc(ctx, m.Dir)
	if err != nil || uses && slices.Contains(m.Tools, ownCommand) {
		return path, err
	}
	commands, err := n.from.getCommands()
	n.next = append(n.next, commands...)

	return path, err
}

// reserved are names that the go command takes for patterns, or for the package main, or that no module may have because
// Windows has no such files.
var reserved = map[string]bool{
	"all": true, "main": true, "std": true, "tool": true, "work": true,
	"aux": true, "con": true, "nul": true, "prn": true,
}

// checkModuleName says why no module can have the project's name.
func (n *newProject) checkModuleName(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	if !reserved[n.name] && !exists(filepath.Join(strings.TrimSpace(string(out)), "src", n.name)) {
		return nil
	}

	return usagef("a module cannot be called %q, which means something else to Go: choose another name, or run "+
		"`go mod init` with a path of yours in the folder before", n.name)
}
