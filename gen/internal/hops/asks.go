package hops

import "github.com/agentc-dev/agentc/gen/internal/ir"

// asks reports whether a step of a pipeline asks a person; what a machine inside of it asks is asked in a state of that.
func asks(p *ir.Pipeline) bool {
	if p == nil {
		return false
	}
	for _, t := range p.Tasks {
		for ; t != nil; t = t.Fallback {
			if asksPerson(t) {
				return true
			}
		}
	}

	return false
}

func asksPerson(t *ir.Task) bool {
	switch t.Do.(type) {
	case *ir.Hitl:
		return true
	case *ir.Machine:
		return false
	}
	for _, inside := range t.Pipelines() {
		if asks(inside) {
			return true
		}
	}

	return false
}
