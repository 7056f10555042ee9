package main

import (
	"context"
	"encoding/json"
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
	ctx    context.Context
	folder string
	// checkout is where agentc lies.
	checkout string
}

// newWorkshop lays the module out in folder, which must exist. It must be called inside this module.
func newWorkshop(ctx context.Context, folder string) *workshop {
	own, _, err := execute(ctx, ".", nil, "go", "env", "GOMOD")
	check(err)
	home := filepath.Dir(strings.TrimSpace(string(own)))
	text := string(must(os.ReadFile(filepath.Join(home, "go.mod"))))
	if !strings.Contains(text, "module "+self+"\n") {
		check(fmt.Errorf("%s is not the module %s: run this command in runtime/benchmarks", home, self))
	}
	text = strings.Replace(text, "module "+self+"\n", "module "+modulePath+"\n", 1)
	checkout := filepath.Join(home, "..", "..")
	text = strings.Replace(text, "=> ../..", fmt.Sprintf("=> %q", checkout), 1)
	text += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %q\n", self, self, home)

	w := &workshop{ctx: ctx, folder: folder, checkout: checkout}
	w.put("go.mod", []byte(text))
	w.put("go.sum", must(os.ReadFile(filepath.Join(home, "go.sum"))))

	return w
}

// put writes a file at a path with forward slashes below the workshop.
func (w *workshop) put(path string, content []byte) { writeFile(w.path(path), content) }

// path is where a path with forward slashes below the workshop lies.
func (w *workshop) path(path string) string { return filepath.Join(w.folder, filepath.FromSlash(path)) }

// goTool runs the go command in the workshop. The error carries what it wrote.
func (w *workshop) goTool(args ...string) (usage, error) {
	return goTool(w.ctx, w.folder, "-mod=mod -buildvcs=false", args...)
}

// agentc builds the compiler of the checkout, unless it has done so, and returns the executable.
func (w *workshop) agentc() string {
	binary := w.path("agentc.exe")
	if _, err := os.Stat(binary); err != nil {
		must(goTool(w.ctx, w.checkout, "-buildvcs=false", "build", "-o", binary, "./cmd/agentc"))
	}

	return binary
}

func goTool(ctx context.Context, folder, flags string, args ...string) (usage, error) {
	variables := []string{"GOFLAGS=" + flags, "GOWORK=off", "CGO_ENABLED=0"}
	_, used, err := execute(ctx, folder, variables, append([]string{"go"}, args...)...)

	return used, err
}

// measure builds a measuring program from its source, and has it measure a task.
func (w *workshop) measure(program, source string, task contest.Task) (scores []contest.Score) {
	w.put(program+"/main.go", []byte(source))
	w.put(program+"/task.json", must(json.Marshal(task)))
	binary := w.path(program + ".exe")
	must(w.goTool("build", "-o", binary, "./"+program))
	output, _, err := execute(w.ctx, w.folder, nil, binary, program+"/task.json")
	check(err)
	check(json.Unmarshal(output, &scores))

	return scores
}
