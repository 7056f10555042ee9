package graph

// drawing draws what runs one after another, into a frame.
type drawing struct {
	*builder
	frame *frame
	// ends are where the next node is joined to.
	ends []edge
	// joined are the nodes and frames in the order in which they were drawn.
	joined []string
	// agent is the name of the agent whose flow it is, end the node of the end; empty until
	// something returns.
	agent, end string
}

// newInner is a drawing in another frame, which begins with an edge.
func (d *drawing) newInner(f *frame, begin ...edge) *drawing {
	return &drawing{builder: d.builder, frame: f, ends: begin, agent: d.agent}
}

// appendPart joins a node or a frame to what came before; the next one follows it.
func (d *drawing) appendPart(id string) {
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

// appendFrame adds a frame that follows what came before.
func (d *drawing) appendFrame(f *frame) {
	d.frame.frames = append(d.frame.frames, f)
	d.appendPart(f.id)
}

// drawBack leads the ends back to a node or a frame, dotted; what follows still follows the ends.
func (d *drawing) drawBack(to, label string) {
	after := d.ends
	d.ends = withLabel(after, label, true)
	d.joinEnds(to)
	d.ends = after
}

// appendGroup begins a frame for what runs side by side.
func (d *drawing) appendGroup(label string) *frame {
	group := d.builder.newFrame(label, kindGroup)
	d.addNode(group, "", kindStart)
	d.appendFrame(group)

	return group
}

// drawEnd leads to the end.
func (d *drawing) drawEnd() {
	if d.end == "" {
		d.end = d.addNode(d.frame, "", kindEnd)
	}
	d.joinEnds(d.end)
	d.ends = nil
}

// withLabel returns the edges with a label each, added to what they have.
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
