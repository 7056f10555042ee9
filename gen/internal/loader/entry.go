package loader

import "github.com/agentc-dev/agentc/gen/internal/ir"

// findEntry finds the entry point: the agent that the config names, or else the one that no other contains, imports of others aside.
func (l *loader) findEntry() {
	p := l.Program
	if p.EntryName.Value != "" {
		p.Entry = l.Agent(p.EntryName.Value)
		return
	}

	var tops []*ir.Agent
	for _, a := range p.Tops() {
		if !a.Driven() && !l.workflows.Imported(a) {
			tops = append(tops, a)
		}
	}
	if len(tops) == 1 {
		p.Entry = tops[0]
	}
}
