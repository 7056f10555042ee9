package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// self is the module of the benchmarks, and modulePath that of the measuring programs, of which nothing outlives a run. It
// is below self, whose internal packages the programs import.
const (
	self       = "github.com/agentc-dev/agentc/runtime/benchmarks"
	modulePath = self + "/bench"
)

// A workshop is a temporary module that requires agentc and this module from where they lie on disk. Generated code, its
// hand-written counterparts and the programs that measure them are built in it.
type workshop struct {
	folder string
	// checkout is where agentc lies.
	checkout string
}

// newWorkshop lays the module out in folder, which must exist. It must be called inside this module.
func newWorkshop(ctx context.Context, folder string) (*workshop, error) {
	own, _, err := execute(ctx, ".", nil, "go", "env", "GOMOD")
	if err != nil {
		return nil, err
	}
	home := filepath.Dir(strings.TrimSpace(string(own)))
	module, err := os.ReadFile(filepath.Join(home, "go.mod"))
	if err != nil {
		return nil, err
	}
	sums, err := os.ReadFile(filepath.Join(home, "go.sum"))
	if err != nil {
		return nil, err
	}

	text := string(module)
	if !strings.Contains(text, "module "+self+"\n") {
		return nil, fmt.Errorf("%s is not the module %s: run this command in runtime/benchmarks", home, self)
	}
	text = strings.Replace(text, "module "+self+"\n", "module "+modulePath+"\n", 1)
	checkout := filepath.Join(home, "..", "..")
	text = strings.Replace(text, "=> ../..", fmt.Sprintf("=> %q", checkout), 1)
	text += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %q\n", self, self, home)

	w := &workshop{folder: folder, checkout: checkout}
	if err := w.put("go.mod", []byte(text)); err != nil {
		return nil, err
	}

	return w, w.put("go.sum", sums)
}

// put writes a file at a path with forward slashes below the workshop.
func (w *workshop) put(path string, content []byte) error {
	file := w.path(path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}

	return os.WriteFile(file, content, 0o644)
}

// path is where a path with forward slashes below the workshop lies.
func (w *workshop) path(path string) string { return filepath.Join(w.folder, filepath.FromSlash(path)) }

// goTool runs the go command in the workshop. The error carries what it wrote.
func (w *workshop) goTool(ctx context.Context, args ...string) (usage, error) {
	return goTool(ctx, w.folder, "-mod=mod -buildvcs=false", args...)
}

// agentc builds the compiler of the checkout, unless it has done so, and returns the executable.
func (w *workshop) agentc(ctx context.Context) (string, error) {
	binary := w.path("agentc.exe")
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	_, err := goTool(ctx, w.checkout, "-buildvcs=false", "build", "-o", binary, "./cmd/agentc")

	return binary, err
}

func goTool(ctx context.Context, folder, flags string, args ...string) (usage, error) {
	variables := []string{"GOFLAGS=" + flags, "GOWORK=off", "CGO_ENABLED=0"}
	_, used, err := execute(ctx, folder, variables, append([]string{"go"}, args...)...)

	return used, err
}

// measure builds a measuring program from its source, and has it measure a task.
func (w *workshop) measure(ctx context.Context, program, source string, task contest.Task) (scores []contest.Score, err error) {
	text, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(w.put(program+"/main.go", []byte(source)), w.put(program+"/task.json", text)); err != nil {
		return nil, err
	}
	binary := w.path(program + ".exe")
	if _, err := w.goTool(ctx, "build", "-o", binary, "./"+program); err != nil {
		return nil, err
	}
	output, _, err := execute(ctx, w.folder, nil, binary, program+"/task.json")
	if err != nil {
		return nil, err
	}

	return scores, json.Unmarshal(output, &scores)
}
