package check

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/source"
)

// agentCycle finds agents that contain each other: a run would never get to the bottom. A circle is reported at the first
// of its places. Every circle contains a reference that closes a reported one, so that no circle is left when those are
// gone.
var agentCycle = Pass{Name: "agent-cycle", run: func(u *unit) {
	walkContained(u.program.Agents, func(circle []contained) {
		u.report(circleFinding(circle))
	}, func(*ir.Agent) {})
}}

// contained is a reference by which an agent runs another.
type contained struct {
	by, agent *ir.Agent
	at        source.Span
}

// containedBy returns what a runs, in source order.
func containedBy(a *ir.Agent) []contained {
	var refs []contained
	for _, ref := range a.Contained() {
		if ref.Agent != nil {
			refs = append(refs, contained{a, ref.Agent, ref.Span})
		}
	}

	return refs
}

// walkContained visits all agents depth first, each once, with a stack of its own. It calls circle for every reference that
// leads back into the path to it, with the references of the circle, and done for each agent when all that it contains is
// done, but for what closes a circle.
func walkContained(agents []*ir.Agent, circle func([]contained), done func(*ir.Agent)) {
	type visit struct {
		agent *ir.Agent
		refs  []contained
		i     int
	}
	depth := map[*ir.Agent]int{} // 1-based place on the path; -1 when done
	var path []visit
	enter := func(a *ir.Agent) {
		path = append(path, visit{agent: a, refs: containedBy(a)})
		depth[a] = len(path)
	}

	for _, root := range agents {
		if depth[root] == 0 {
			enter(root)
		}
		for len(path) > 0 {
			v := &path[len(path)-1]
			if v.i == len(v.refs) {
				done(v.agent)
				depth[v.agent] = -1
				path = path[:len(path)-1]
				continue
			}
			ref := v.refs[v.i]
			v.i++
			switch at := depth[ref.agent]; {
			case at == 0:
				enter(ref.agent)
			case at > 0:
				var refs []contained
				for _, on := range path[at-1:] {
					refs = append(refs, on.refs[on.i-1])
				}
				circle(refs)
			}
		}
	}
}

func circleFinding(circle []contained) *diag.Diagnostic {
	first := 0
	for i, ref := range circle {
		if ref.at.Before(circle[first].at) {
			first = i
		}
	}
	circle = append(append([]contained(nil), circle[first:]...), circle[:first]...)

	names := []string{circle[0].by.Name.Value}
	for _, ref := range circle {
		names = append(names, ref.agent.Name.Value)
	}
	d := diag.New(diag.AgentCycle, circle[0].at, "agents contain each other: %s", arrows(names))
	if len(circle) == 1 {
		d.Message = fmt.Sprintf("agent %q contains itself", names[0])
	}
	for i, ref := range circle[1:] {
		if i == maxListed {
			return d.Note(noSpan, "and so on, through %d more agents", len(circle)-1-i)
		}
		d.Note(ref.at, "%q runs %q here", ref.by.Name.Value, ref.agent.Name.Value)
	}

	return d
}

// arrows writes a path through names; of a long one the beginning and the end.
func arrows(names []string) string {
	if len(names) > maxListed {
		left := len(names) - maxListed + 1
		names = append(append(append([]string(nil), names[:maxListed-2]...), fmt.Sprintf("(%d more)", left)), names[len(names)-1])
	}

	return strings.Join(names, " → ")
}
