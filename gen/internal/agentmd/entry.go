package agentmd

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// resolveEntry finds the entry point: the workflow that is the whole project, the agent that the config names, or else the one
// that no other contains, imports of others aside. It sorts what the program has.
func (l *loader) resolveEntry(found *layout) {
	p := l.program
	slices.SortFunc(p.Agents, func(a, b *ir.Agent) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
	slices.SortFunc(p.Skills, func(a, b *ir.Skill) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
	slices.SortFunc(p.Files, func(a, b *source.File) int { return cmp.Compare(a.Path, b.Path) })
	if found.alone {
		p.EntryName, p.Entry = ir.Text{}, l.workflows.Agents()[0]
		return
	}
	if p.EntryName.Value != "" {
		p.Entry = l.agents[p.EntryName.Value]
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
