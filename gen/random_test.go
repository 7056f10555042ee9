package gen_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// randomProject makes projects that are right: agents of all patterns, and machines, over agents that were made before them.
// In a machine every state is reached, leads on to the next one and routes what its agent can finish with. All agents and
// skills are used, and all prompts name what they may name.
type randomProject struct {
	*rand.Rand
	files  fstest.MapFS
	agents []randomAgent
	skills int
}

type randomAgent struct {
	name    string
	pattern string
	keys    []string // declared keys of a react agent
	used    bool
}

func newRandomProject(seed uint64) *randomProject {
	p := &randomProject{Rand: rand.New(rand.NewPCG(seed, 20)), files: fstest.MapFS{}}
	for range 2 + p.IntN(5) {
		p.addLeaf()
	}
	for range 2 + p.IntN(6) {
		if p.IntN(2) == 0 {
			p.addMachine()
		} else {
			p.addFlow()
		}
	}
	p.addEntry()

	return p
}

func (p *randomProject) file(name, text string) { p.files[name] = &fstest.MapFile{Data: []byte(text)} }

func (p *randomProject) add(agent randomAgent, fields string) {
	prompt := "Do `{{it}}`."
	switch agent.pattern {
	case "react", "scatter", "human", "best-of-n":
		prompt += " Then call finish."
	}
	text := fmt.Sprintf("---\nname: %s\ndescription: \"Does %q\\u2014`once` */ ${x}.\"\nversion: \"1.0.0\"\npattern: %s\n%s---\n\n%s\n",
		agent.name, strings.Repeat("x", p.IntN(3)), agent.pattern, fields, prompt)
	text = strings.ReplaceAll(text, `Does "`, `Does \"`)
	text = strings.ReplaceAll(text, `"\u2014`, `\"\u2014`)
	p.file("agents/"+agent.name+"/AGENT.md", text)
	p.agents = append(p.agents, agent)
}

// name returns the name of the next agent.
func (p *randomProject) name(kind string) string { return fmt.Sprintf("%s-%d", kind, len(p.agents)) }

// uses returns a field call with a skill of its own, sometimes.
func (p *randomProject) uses() string {
	if p.IntN(3) > 0 {
		return ""
	}
	p.skills++
	name := fmt.Sprintf("skill-%d", p.skills)
	p.file("skills/"+name+"/SKILL.md", "---\nname: "+name+"\ndescription: Knows how.\ntools: [mem_get]\n---\n\nLook there.\n")

	return "call: {uses: [" + name + "]}\n"
}

func (p *randomProject) addLeaf() {
	agent := randomAgent{name: p.name("leaf"), pattern: "oneshot"}
	fields := ""
	if p.IntN(2) == 0 {
		agent.pattern = "react"
		fields = p.uses()
		if p.IntN(2) == 0 {
			agent.keys = []string{"yes", "no", "very-odd key"}[:1+p.IntN(3)]
			fields += fmt.Sprintf("keys: [%s]\n", strings.Join(agent.keys, ", "))
		}
	}
	p.add(agent, fields)
}

// flowSteps are the patterns of several steps, with their step files.
var flowSteps = []struct {
	pattern string
	steps   []string
}{
	{"critic", []string{"draft", "critique", "refine"}},
	{"constitutional", []string{"critique", "revise"}},
	{"chain-of-verification", []string{"verify", "check", "revise"}},
	{"reflexion", []string{"act", "reflect"}},
	{"plan-execute", []string{"execute", "verify"}},
	{"best-of-n", []string{"judge"}},
	{"human", []string{"resume"}},
	{"scatter", []string{"reduce"}},
	{"debate", nil},
	{"parallel", nil},
}

func (p *randomProject) addFlow() {
	kind := flowSteps[p.IntN(len(flowSteps))]
	agent := randomAgent{name: p.name(kind.pattern), pattern: kind.pattern}
	for _, step := range kind.steps {
		text := "Do your part. What is good is DONE.\n"
		switch {
		case step == "resume":
			text = "Go on, and call finish.\n"
		case p.IntN(3) == 0:
			text = "---\npattern: react\n" + p.uses() + "---\n\nDo your part, and call finish.\n"
		}
		p.file("agents/"+agent.name+"/"+step+".md", text)
	}
	fields := ""
	switch kind.pattern {
	case "scatter":
		fields = "worker: " + p.some(1) + "\n" + p.uses()
	case "debate":
		fields = "agents: [" + p.some(2) + "]\njudge: " + p.some(1) + "\nrounds: 2\n"
	case "parallel":
		fields = "workers: [" + p.some(3) + "]\n"
	case "best-of-n":
		fields = "n: 3\n" + p.uses()
	case "human":
		fields = p.uses()
	}
	p.add(agent, fields)
}

// some lists different agents, n at most, and one at least.
func (p *randomProject) some(n int) string {
	var names []string
	for _, i := range p.Perm(len(p.agents))[:1+p.IntN(min(n, len(p.agents)))] {
		p.agents[i].used = true
		names = append(names, p.agents[i].name)
	}

	return strings.Join(names, ", ")
}

// addMachine makes a machine whose states are a random choice of the agents so far, in random order.
func (p *randomProject) addMachine() {
	chosen := p.Perm(len(p.agents))[:1+p.IntN(len(p.agents))]
	var names []string
	for _, i := range chosen {
		p.agents[i].used = true
		names = append(names, p.agents[i].name)
	}
	names = append(names, "finished-0")
	var table strings.Builder
	for i, chosen := range chosen {
		p.addState(&table, p.agents[chosen], names, i)
	}
	table.WriteString("  finished-0: ~\n")
	p.add(randomAgent{name: p.name("machine"), pattern: "fsm"}, fmt.Sprintf("initial: %s\nstates:\n%s", names[0], table.String()))
}

// addState writes a state whose first row leads to the next one, and whose others lead anywhere.
func (p *randomProject) addState(table *strings.Builder, agent randomAgent, names []string, i int) {
	next := names[i+1]
	if p.IntN(3) == 0 {
		fmt.Fprintf(table, "  %s: %s\n", agent.name, next)
		return
	}
	rows := agent.keys
	switch agent.pattern {
	case "react":
		if rows == nil {
			rows = []string{"good", "bad", "*"}[:1+p.IntN(3)]
		}
	case "fsm", "debate", "scatter", "human":
		rows = []string{"*"} // with which keys they finish depends on what is in them
	case "reflexion", "plan-execute":
		rows = []string{"done", "exhausted"}[:1+p.IntN(2)]
	default:
		rows = []string{"done"}
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

// addEntry gives half of the projects an entry point, which runs some of the agents that no other does. The others run with a
// script of their own.
func (p *randomProject) addEntry() {
	if p.IntN(2) == 0 {
		return
	}
	workers := []string{p.agents[0].name}
	p.agents[0].used = true
	for _, agent := range p.agents {
		switch {
		case agent.used:
		case p.IntN(3) > 0:
			workers = append(workers, agent.name)
		default:
			p.file("agents/"+agent.name+"/script.json", "{}\n")
		}
	}
	p.file("agentc.yaml", "entrypoint: entry\n")
	p.add(randomAgent{name: "entry", pattern: "parallel"}, "workers: ["+strings.Join(workers, ", ")+"]\n")
}

const randomProjects = 150

// TestRandomRightProjects: about what was made right nothing is said, and it is emitted and read back.
func TestRandomRightProjects(t *testing.T) {
	for seed := range uint64(randomProjects) {
		p := newRandomProject(seed)
		result := compileFS(t, p.files)
		if len(result.Diagnostics) > 0 || len(result.Files) == 0 {
			t.Fatalf("seed %d, %d files:\n%s", seed, len(result.Files), casetest.Text(t, result.Diagnostics))
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
