package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// A project is the source files of an agentc project: path with forward slashes to content.
type project map[string]string

// write writes the files below folder.
func (p project) write(folder string) {
	for path, content := range p {
		writeFile(filepath.Join(folder, filepath.FromSlash(path)), []byte(content))
	}
}

// writeFile writes a file, with the folders above it.
func writeFile(file string, content []byte) {
	check(os.MkdirAll(filepath.Dir(file), 0o755))
	check(os.WriteFile(file, content, 0o644))
}

// agent adds agents/NAME/AGENT.md with further lines of frontmatter and a body.
func (p project) agent(name, description, pattern, fields, body string) {
	p["agents/"+name+"/AGENT.md"] = fmt.Sprintf("---\nname: %s\ndescription: %s\nversion: \"1.0\"\npattern: %s\n%s---\n\n%s",
		name, description, pattern, fields, body)
}

// machineProject is a project whose only agent is the machine, driven from outside.
func machineProject(m contest.Machine) project {
	var fields strings.Builder
	fmt.Fprintf(&fields, "drive: external\ninitial: %s\nstates:\n", m.States[0].Name)
	for _, state := range m.States {
		if len(state.Rows) == 0 {
			fmt.Fprintf(&fields, "  %s: ~\n", state.Name)
			continue
		}
		fmt.Fprintf(&fields, "  %s:\n", state.Name)
		for _, row := range state.Rows {
			fmt.Fprintf(&fields, "    - %s: %s\n", row.Key, m.States[row.To].Name)
		}
	}

	p := make(project)
	p.agent(machineName, "A machine drawn by lot.", "fsm", fields.String(), "")

	return p
}

// chainName is the agent that is a chain: its function is RunChain.
const chainName = "chain"

// chainProject is a chain of n agents of one pattern, oneshot or react, each of them followed by the next whatever its key.
func chainProject(n int, pattern string) project {
	p := make(project)
	var fields strings.Builder
	fmt.Fprintf(&fields, "initial: step-0\nmax_steps: %d\nstates:\n", n)
	for i := range n {
		name, next := fmt.Sprintf("step-%d", i), fmt.Sprintf("step-%d", i+1)
		if i == n-1 {
			next = "finished"
		}
		fmt.Fprintf(&fields, "  %s: %s\n", name, next)
		p.agent(name, fmt.Sprintf("Does part %d of the work.", i), pattern, "", chainPrompt(i))
	}
	fields.WriteString("  finished: ~\n")
	p.agent(chainName, "One agent after the other.", "fsm", fields.String(), "")

	return p
}

// chainPrompt is the prompt of the i-th agent of a chain.
func chainPrompt(i int) string {
	return fmt.Sprintf("Take the text, do part %d of the work on it, and answer with the whole text.\n", i)
}

// workflow adds workflows/NAME.yaml with steps, which are items of a list.
func (p project) workflow(name, steps string) {
	p["workflows/"+name+".yaml"] = fmt.Sprintf("version: \"0.1\"\nname: %s\nsteps:\n%s", name, steps)
}
