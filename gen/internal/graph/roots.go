package graph

import "github.com/agentc-dev/agentc/gen/internal/ir"

// Roots returns the agents that a picture of p shows: the entry point, else every agent that no other one contains.
func Roots(p *ir.Program) []*ir.Agent {
	if p.Entry != nil {
		return []*ir.Agent{p.Entry}
	}

	return p.Tops()
}
