package graph

// line draws what follows one another.
type line struct {
	frame *frame
	// ends are where the next node is joined to.
	ends []edge
	// joined are the nodes and frames in the order in which they were drawn.
	joined []string
}

// follow joins a node or a frame to what came before; the next one follows it.
func (l *line) follow(id string) {
	l.join(id)
	l.joined = append(l.joined, id)
	l.ends = []edge{{from: id}}
}

func (l *line) join(id string) {
	for _, e := range l.ends {
		e.to = id
		l.frame.edges = append(l.frame.edges, e)
	}
}

// labelled returns the edges with a label each, added to what they have.
func labelled(edges []edge, label string, dotted bool) []edge {
	list := make([]edge, len(edges))
	for i, e := range edges {
		switch {
		case e.label == "":
			e.label = label
		case label != "":
			e.label += ", " + label
		}
		e.dotted = e.dotted || dotted
		list[i] = e
	}

	return list
}
