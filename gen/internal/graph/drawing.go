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

// inside is a drawing in another frame, which begins with an edge.
func (d *drawing) inside(f *frame, begin ...edge) *drawing {
	return &drawing{builder: d.builder, frame: f, ends: begin, agent: d.agent}
}

// follow joins a node or a frame to what came before; the next one follows it.
func (d *drawing) follow(id string) {
	d.join(id)
	d.joined = append(d.joined, id)
	d.ends = []edge{{from: id}}
}

func (d *drawing) join(id string) {
	for _, e := range d.ends {
		e.to = id
		d.frame.edges = append(d.frame.edges, e)
	}
}

// put adds a frame that follows what came before.
func (d *drawing) put(f *frame) {
	d.frame.frames = append(d.frame.frames, f)
	d.follow(f.id)
}

// back leads the ends back to a node or a frame, dotted; what follows still follows the ends.
func (d *drawing) back(to, label string) {
	after := d.ends
	d.ends = labelled(after, label, true)
	d.join(to)
	d.ends = after
}

// group begins a frame for what runs side by side.
func (d *drawing) group(label string) *frame {
	group := d.builder.frame(label, kindGroup)
	d.add(group, "", kindStart)
	d.put(group)

	return group
}

// finish leads to the end.
func (d *drawing) finish() {
	if d.end == "" {
		d.end = d.add(d.frame, "", kindEnd)
	}
	d.join(d.end)
	d.ends = nil
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
