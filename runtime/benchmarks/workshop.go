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

// self is the module of the benchmarks. peers is the module below it that requires the frameworks agentc is compared with. The
// module of the measuring programs is temporary, and below one of the two: the programs import internal packages of self.
const (
	self  = "github.com/agentc-dev/agentc/runtime/benchmarks"
	peers = self + "/peers"
)

// A workshop is a temporary module that requires agentc and a module of these two from where they lie on disk. Generated code,
// its hand-written counterparts and the programs that measure them are built in it.
type workshop struct {
	ctx    context.Context
	folder string
	// checkout is where agentc lies.
	checkout string
}

// newWorkshop lays the module out in folder. It requires what the module path requires, which is self or peers. It must be called
// inside self.
func newWorkshop(ctx context.Context, folder, path string) *workshop {
	own, _, err := execute(ctx, ".", nil, "go", "env", "GOMOD")
	check(err)
	top := filepath.Dir(strings.TrimSpace(string(own)))
	if !strings.HasPrefix(readText(filepath.Join(top, "go.mod")), "module "+self+"\n") {
		check(fmt.Errorf("%s is not the module %s: run this command in runtime/benchmarks", top, self))
	}
	home := filepath.Join(top, strings.TrimPrefix(path, self))
	text := strings.Replace(readText(filepath.Join(home, "go.mod")), "module "+path+"\n", "module "+path+"/bench\n", 1)
	sums := readText(filepath.Join(home, "go.sum"))
	if path != self {
		text += fmt.Sprintf("\nrequire %s v0.0.0\n", self)
		sums += readText(filepath.Join(top, "go.sum"))
	}
	text += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => .\n", path, path)

	w := &workshop{ctx: ctx, folder: folder, checkout: filepath.Join(top, "..", "..")}
	w.put("go.mod", []byte(resolveReplacements(home, text)))
	w.put("go.sum", []byte(sums))

	return w
}

func readText(file string) string { return string(must(os.ReadFile(file))) }

// resolveReplacements returns the text of the go.mod in home with absolute paths of the modules that replace others.
func resolveReplacements(home, text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if replaced, path, ok := strings.Cut(line, "=> "); ok {
			lines[i] = fmt.Sprintf("%s=> %q", replaced, filepath.Join(home, filepath.FromSlash(path)))
		}
	}

	return strings.Join(lines, "\n")
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
