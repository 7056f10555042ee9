package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
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
	own, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOMOD: %w", err)
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

// putJSON writes a value as a JSON file.
func (w *workshop) putJSON(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}

	return w.put(path, text)
}

// goTool runs the go command in the workshop. The error carries what it wrote.
func (w *workshop) goTool(ctx context.Context, args ...string) (usage, error) {
	return goTool(ctx, w.folder, "-mod=mod -buildvcs=false", args...)
}

// agentc builds the compiler of the checkout and returns the executable.
func (w *workshop) agentc(ctx context.Context) (string, error) {
	binary := w.path("agentc.exe")
	_, err := goTool(ctx, w.checkout, "-buildvcs=false", "build", "-o", binary, "./cmd/agentc")

	return binary, err
}

func goTool(ctx context.Context, folder, flags string, args ...string) (usage, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOFLAGS="+flags, "GOWORK=off", "CGO_ENABLED=0")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	forgetPeak()
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, head(output.Bytes()))
	}

	return usageOf(cmd.ProcessState, time.Since(start)), nil
}

// measure builds the program in the folder program, runs it with args and decodes the JSON that it prints into result.
func (w *workshop) measure(ctx context.Context, program string, result any, args ...string) error {
	binary := w.path(program + ".exe")
	if _, err := w.goTool(ctx, "build", "-o", binary, "./"+program); err != nil {
		return err
	}

	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = w.folder
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, head(stderr.Bytes()))
	}

	return json.Unmarshal(output, result)
}

// head is the beginning of a long output.
func head(text []byte) []byte {
	const enough = 4000
	if len(text) > enough {
		return append(bytes.Clone(text[:enough]), "…\n"...)
	}

	return text
}
