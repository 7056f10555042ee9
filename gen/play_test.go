package gen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// play is a run of a compiled project.
type play struct {
	// name is what the result is found by, pkg the folder of the project's package.
	name, pkg string
	task      string
	// script is JSON that answers instead of every model; "" for what the project's config says.
	script string
	// signals are sent to the run, a line each: a number, and the signal that comes when so many states were entered.
	signals string
}

// playAll makes all runs and returns what each of them tells: its events, a line each, and its error if it has one.
func playAll(t *testing.T, packages map[string]*gen.Result, plays []play) map[string]string {
	t.Helper()
	var calls strings.Builder
	for _, p := range plays {
		users := "" // that the scripts answer for
		program := packages[p.pkg].Program
		if len(program.Guards) > 0 {
			users = "nil"
		}
		makes := names.FixedNames(program).New
		fmt.Fprintf(&calls, "\tplay(%q, %s.%s(%s).Program(), %q, %q, %q)\n", p.name, p.pkg, makes, users, p.task, p.script, p.signals)
	}

	return buildAndRun(t, packages, eventPlayer, calls.String())
}

// buildAndRun builds the packages into one program and runs it. The program's text has places for imports and calls; it
// prints a txtar archive, whose files are returned.
func buildAndRun(t *testing.T, packages map[string]*gen.Result, program, calls string) map[string]string {
	t.Helper()
	var imports strings.Builder
	for pkg := range packages {
		fmt.Fprintf(&imports, "\t%s %q\n", pkg, "runs/"+pkg)
	}
	files := map[string]string{"main.go": fmt.Sprintf(program, imports.String(), calls)}
	if strings.Contains(program, "printResumed()") {
		files["interrupt.go"] = interrupter
	}
	if strings.Contains(program, "errorText(") {
		files["error.go"] = errorPrinter
	}
	out := runModule(t, packages, files)

	told := map[string]string{}
	for _, f := range txtar.Parse(out).Files {
		told[f.Name] = string(f.Data)
	}
	if counts, ok := told["resumed"]; ok {
		fmt.Printf("soak: %s: %s", t.Name(), counts)
		delete(told, "resumed")
	}

	return told
}

// runModule builds the packages and the files of a main package into one program, runs it and returns what it prints.
func runModule(t *testing.T, packages map[string]*gen.Result, files map[string]string, args ...string) []byte {
	t.Helper()
	dir := newModule(t, "runs")
	for pkg, result := range packages {
		for _, f := range ofTheRuntime(result) {
			writeFile(t, filepath.Join(dir, pkg, f.Name), string(f.Content))
		}
	}
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text)
	}

	cmd := exec.Command("go", append([]string{"run", "."}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}

	return out
}

// ofTheRuntime returns the files of a program as they compile with the module of the runtime alone: without what opens models, asks
// servers and includes telemetry, for which there are modules of their own.
func ofTheRuntime(r *gen.Result) []emit.File {
	files := emit.WithoutProviders(r.Program.Package, r.Files)
	for i, f := range files {
		files[i].Content = telemetry.ReplaceAll(f.Content, nil)
	}

	return files
}

// telemetry is how generated code imports and names the part of runtime/otel.
var telemetry = regexp.MustCompile(`\n\totel "[^"]*/runtime/otel"|\botel\.Part\{\}(, )?`)

// newModule returns the folder of a new module that has the runtime at hand.
func newModule(t *testing.T, name string) (dir string) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), "module "+name+"\n\ngo 1.25.0\n\n"+
		"require github.com/agentc-dev/agentc v0.0.0\n\nreplace github.com/agentc-dev/agentc => "+root+"\n")

	return dir
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// eventPlayer is a program that runs the entry points of all cases and prints their events as a txtar archive. Its clock
// does not move but when a run waits, and runs have no names of their own, so that the events are the same each time, but
// for the order in which branches that run side by side tell theirs.
const eventPlayer = `package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	rules "github.com/agentc-dev/agentc/runtime/signals"

%s)

type printer struct {
	signals *engine.Signals
	// script says which signals come when so many states were entered.
	script  map[string][]string
	entered int
}

func (p *printer) Observe(e event.Event) {
	if e.Kind == event.Enter {
		p.entered++
		for _, kind := range p.script[fmt.Sprint(p.entered)] {
			if !p.signals.Send(rules.Signal{Kind: kind}) {
				fmt.Println("nobody has a rule for", kind)
			}
		}
	}
	if e.Problem != "" {
		e.Problem = strings.TrimSpace("… " + namesIn(e.Problem))
	}
	line, err := e.MarshalJSON()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(string(line))
}

func play(name string, p *compiled.Program, task, script, signals string) {
	sent := &printer{signals: &engine.Signals{}, script: map[string][]string{}}
	for _, line := range strings.Split(signals, "\n") {
		if at, kind, ok := strings.Cut(line, " "); ok {
			sent.script[at] = append(sent.script[at], kind)
		}
	}
	p.Shape, p.Text = "", ""
	for i := range p.Agents {
		p.Agents[i].Text = ""
	}
	fmt.Printf("-- %%s --\n", name)
	watched := options(script)
	watched.Observers, watched.Signals = []event.Observer{sent}, sent.signals
	if _, err := engine.New(watched).Run(context.Background(), p, p.Entry, task); err != nil {
		fmt.Println("error: " + errorText(err))
	}
	if signals == "" { // they come with events, which are not told twice
		interrupted(name, p, task, script)
	}
}

func main() {
%s	printResumed()
}
`
