package gen_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
)

// randomProject makes projects that are right: agents, and machines over agents that were made before them, in which every
// state is reached, leads on to the next one and routes what its agent can finish with.
type randomProject struct {
	*rand.Rand
	files  fstest.MapFS
	agents []randomAgent
}

type randomAgent struct {
	name    string
	pattern string
	keys    []string // declared keys of a react agent
}

func newRandomProject(seed uint64) *randomProject {
	p := &randomProject{Rand: rand.New(rand.NewPCG(seed, 20)), files: fstest.MapFS{}}
	for range 2 + p.IntN(5) {
		p.addLeaf()
	}
	for range 1 + p.IntN(4) {
		p.addMachine()
	}

	return p
}

func (p *randomProject) add(agent randomAgent, fields string) {
	text := fmt.Sprintf("---\nname: %s\ndescription: \"Does %q\\u2014`once` */ ${x}.\"\nversion: \"1.0.0\"\npattern: %s\n%s---\n\nDo {{it}}.\n",
		agent.name, strings.Repeat("x", p.IntN(3)), agent.pattern, fields)
	text = strings.ReplaceAll(text, `Does "`, `Does \"`)
	text = strings.ReplaceAll(text, `"\u2014`, `\"\u2014`)
	p.files["agents/"+agent.name+"/AGENT.md"] = &fstest.MapFile{Data: []byte(text)}
	p.agents = append(p.agents, agent)
}

func (p *randomProject) addLeaf() {
	agent := randomAgent{name: fmt.Sprintf("leaf-%d", len(p.agents)), pattern: "oneshot"}
	fields := ""
	if p.IntN(2) == 0 {
		agent.pattern = "react"
		if p.IntN(2) == 0 {
			agent.keys = []string{"yes", "no", "very-odd key"}[:1+p.IntN(3)]
			fields = fmt.Sprintf("keys: [%s]\n", strings.Join(agent.keys, ", "))
		}
	}
	p.add(agent, fields)
}

// addMachine makes a machine whose states are a random choice of the agents so far, in random order.
func (p *randomProject) addMachine() {
	chosen := p.Perm(len(p.agents))[:1+p.IntN(len(p.agents))]
	var names []string
	for _, i := range chosen {
		names = append(names, p.agents[i].name)
	}
	names = append(names, "finished-0")
	var table strings.Builder
	for i, chosen := range chosen {
		p.addState(&table, p.agents[chosen], names, i)
	}
	table.WriteString("  finished-0: ~\n")
	p.add(randomAgent{name: fmt.Sprintf("machine-%d", len(p.agents)), pattern: "fsm"},
		fmt.Sprintf("initial: %s\nstates:\n%s", names[0], table.String()))
}

// addState writes a state whose first row leads to the next one, and whose others lead anywhere.
func (p *randomProject) addState(table *strings.Builder, agent randomAgent, names []string, i int) {
	next := names[i+1]
	if p.IntN(3) == 0 {
		fmt.Fprintf(table, "  %s: %s\n", agent.name, next)
		return
	}
	rows := agent.keys
	switch {
	case agent.pattern == "oneshot":
		rows = []string{"done"}
	case agent.pattern == "fsm":
		rows = []string{"yes", "*"}
	case rows == nil:
		rows = []string{"good", "bad", "*"}[:1+p.IntN(3)]
	}
	fmt.Fprintf(table, "  %s:\n", agent.name)
	for j, key := range rows {
		target := next
		if j > 0 {
			target = append(names, "~")[p.IntN(len(names)+1)]
		}
		fmt.Fprintf(table, "    - %q: %s\n", key, target)
	}
}

const randomProjects = 150

// TestRandomRightProjects: what was made right is found right, and is emitted and read back.
func TestRandomRightProjects(t *testing.T) {
	for seed := range uint64(randomProjects) {
		p := newRandomProject(seed)
		result := compileFS(t, p.files)
		if result.HasErrors() || len(result.Files) == 0 {
			t.Fatalf("seed %d, %d files:\n%s", seed, len(result.Files), render(t, result.Diagnostics))
		}
	}
}

// TestRandomDamage damages one line of a right project: whatever it becomes, the compiler ends, and its findings stand in
// order and in a file.
func TestRandomDamage(t *testing.T) {
	found := 0
	for seed := range uint64(randomProjects) {
		p := newRandomProject(seed)
		p.damage()
		result := compileFS(t, p.files)
		found += min(len(result.Diagnostics), 1)
		soundFindings(t, result)
	}
	if found < randomProjects/2 {
		t.Errorf("only %d of %d damaged projects had a finding: the damage does none", found, randomProjects)
	}
}

// damage changes one line of one file.
func (p *randomProject) damage() {
	agent := p.agents[p.IntN(len(p.agents))]
	file := p.files["agents/"+agent.name+"/AGENT.md"]
	lines := strings.SplitAfter(string(file.Data), "\n")
	i := p.IntN(len(lines) - 4)
	switch p.IntN(5) {
	case 0:
		lines[i] = ""
	case 1:
		lines[i] += lines[i]
	case 2:
		lines[i] = " " + lines[i]
	case 3:
		lines[i] = strings.Replace(lines[i], ":", ";", 1)
	case 4:
		at := p.IntN(len(lines[i]))
		lines[i] = lines[i][:at] + string("x[{:\"\xff\t"[p.IntN(7)]) + lines[i][at:]
	}
	file.Data = []byte(strings.Join(lines, ""))
}

func soundFindings(t *testing.T, result *gen.Result) {
	t.Helper()
	var before *diag.Diagnostic
	for _, d := range result.Diagnostics {
		if d.Message == "" || d.Span.IsValid() && d.Span.End > len(d.Span.File.Bytes) {
			t.Errorf("finding %s %q stands nowhere", d.Check.Name, d.Message)
		}
		if before != nil && d.Span.Before(before.Span) {
			t.Errorf("%q stands before %q", d.Message, before.Message)
		}
		before = d
	}
	if result.HasErrors() && len(result.Files) > 0 {
		t.Error("files beside errors")
	}
}
