package stats_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/stats"
)

// TestNoRunCallsMore compiles random flows and machines that run each other, and runs each of them many times with models that
// use every turn and every repair that they have. No run makes more calls than the bound says, and some make as many.
func TestNoRunCallsMore(t *testing.T) {
	p := randomProgram()
	bounds := map[string]cost.Amount{}
	for _, e := range stats.Of(p) {
		bounds[e.Name] = e.Calls
	}

	reached, runs := map[string]bool{}, 0
	for _, line := range strings.Split(strings.TrimSpace(measured(t, p)), "\n") {
		var name string
		var calls cost.Amount
		if _, err := fmt.Sscan(line, &name, &calls); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if calls > bounds[name] {
			t.Errorf("%s made %d calls of models, and its bound is %d", name, calls, bounds[name])
		}
		reached[name] = reached[name] || calls == bounds[name]
		runs++
	}
	exact := 0
	for _, yes := range reached {
		if yes {
			exact++
		}
	}
	t.Logf("%d runs; %d of %d bounds were reached", runs, exact, len(bounds))
	if runs < 50*len(bounds) || exact*4 < len(bounds) {
		t.Errorf("%d runs, and %d of %d bounds were reached: the test saw too little", runs, exact, len(bounds))
	}
}

// The limits of random programs: small, so that runs reach them. The models of doorText know them.
const (
	maxIter  = 3
	repair   = 1
	maxSteps = 4
	maxItems = 2
)

// randomProgram returns a program whose agents all are entry points.
func randomProgram() *ir.Program {
	p := &ir.Program{Package: "random"}
	for i := range 30 {
		name := fmt.Sprintf("agent-%d", i)
		others := p.Agents
		switch {
		case i%3 == 2:
			emittest.Machine(p, uint64(i), emittest.Options{
				Name: name, States: 2 + i%4, Rows: 2, Agents: true, Keys: []string{"done", "over", "list"},
				StateName: func(state int) string {
					if state%2 == 0 && len(others) > state {
						return others[(i*7+state/2)%len(others)].Name.Value
					}
					return fmt.Sprintf("%s-%d", name, state)
				},
			})
		default:
			o := emittest.FlowOptions{Name: name, Size: 1 + i%3}
			if i > 2 {
				o.Agents = []*ir.Agent{others[i%len(others)]}
			}
			emittest.Flow(p, uint64(i), o)
		}
	}
	emittest.Sort(p)
	for _, a := range p.Agents {
		a.Scripted = true
		limit(a)
	}

	return p
}

// limit makes the limits of an agent those of the test.
func limit(a *ir.Agent) {
	switch node := a.Node.(type) {
	case *ir.Machine:
		node.MaxSteps = maxSteps
	case *ir.React:
		node.MaxIter = maxIter
	case *ir.Oneshot:
		node.Repair = repair
	case *ir.Flow:
		for _, step := range node.Steps {
			limit(&ir.Agent{Node: step.Node})
			if list := step.List(); list != nil {
				list.Max = maxItems
			}
		}
	}
}

// measured runs the program and returns lines with the name of an agent and the number of calls of models that it made.
func measured(t *testing.T, p *ir.Program) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module measured\n\ngo 1.25.0\n\nrequire github.com/agentc-dev/agentc v0.0.0\n\n"+
		"replace github.com/agentc-dev/agentc => "+root+"\n")
	for _, f := range files {
		write("random/"+f.Name, string(f.Content))
	}
	door, err := os.ReadFile("testdata/door.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	write("door.go", string(door))
	var calls strings.Builder
	for _, a := range p.Agents {
		if _, one := a.Node.(*ir.Oneshot); !one {
			fmt.Fprintf(&calls, "\tmeasure(%q, app.%s)\n", a.Name.Value, names.Run(a.Name.Value))
		}
	}
	write("main.go", "package main\n\nimport \"measured/random\"\n\nfunc main() {\n\tapp := random.New()\n"+calls.String()+"}\n")

	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}

	return string(out)
}
