package graph

// drawing draws a sequence of parts into a frame.
type drawing struct {
	*builder
	frame *frame
	// ends are the edges that lead to the next node.
	ends []edge
	// joined are the nodes and frames in the order of drawing.
	joined []string
	// agent is the name of the agent whose flow it is. end is the end node, "" until something
	// returns.
	agent, end string
}

// newInner returns a drawing in another frame, which begins with some edges.
func (d *drawing) newInner(f *frame, begin ...edge) *drawing {
	return &drawing{builder: d.builder, frame: f, ends: begin, agent: d.agent}
}

// connectPart connects a node or a frame to its predecessors; it becomes the predecessor of the
// next.
func (d *drawing) connectPart(id string) {
	d.joinEnds(id)
	d.joined = append(d.joined, id)
	d.ends = []edge{{from: id}}
}

func (d *drawing) joinEnds(id string) {
	for _, e := range d.ends {
		e.to = id
		d.frame.edges = append(d.frame.edges, e)
	}
}

// appendFrame adds a frame after the previous part.
func (d *drawing) appendFrame(f *frame) {
	d.frame.frames = append(d.frame.frames, f)
	d.connectPart(f.id)
}

// drawBack draws dotted lines back to a node or a frame. The ends stay the same.
func (d *drawing) drawBack(to, label string) {
	ends := d.ends
	d.ends = withLabel(ends, label, true)
	d.joinEnds(to)
	d.ends = ends
}

// appendGroup adds a frame for parallel parts.
func (d *drawing) appendGroup(label string) *frame {
	group := d.builder.newFrame(label, kindGroup)
	d.addNode(group, "", kindStart)
	d.appendFrame(group)

	return group
}

// drawEnd connects the ends to the end node.
func (d *drawing) drawEnd() {
	if d.end == "" {
		d.end = d.addNode(d.frame, "", kindEnd)
	}
	d.joinEnds(d.end)
	d.ends = nil
}

// withLabel returns copies of edges with a label added.
func withLabel(edges []edge, label string, dotted bool) []edge {
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
