package ir

// Containment is a reference by which an agent runs another.
type Containment struct {
	By, Agent *Agent
	// At is the reference as it is written.
	At Text
}

// WalkContained visits all agents depth first, each once, with a stack of its own. It calls circle for every reference that
// leads back into the path to it, with the references of the circle, and done for each agent when all that it contains is
// done, but for what closes a circle.
func WalkContained(agents []*Agent, circle func([]Containment), done func(*Agent)) {
	type visit struct {
		agent *Agent
		refs  []AgentRef
		i     int
	}
	depth := map[*Agent]int{} // 1-based place on the path; -1 when done
	var path []visit
	enter := func(a *Agent) {
		path = append(path, visit{agent: a, refs: a.Contained()})
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
			switch at := depth[ref.Agent]; {
			case ref.Agent == nil:
			case at == 0:
				enter(ref.Agent)
			case at > 0:
				var refs []Containment
				for _, on := range path[at-1:] {
					ref := on.refs[on.i-1]
					refs = append(refs, Containment{By: on.agent, Agent: ref.Agent, At: ref.Text})
				}
				circle(refs)
			}
		}
	}
}
