package diagram

import "slices"

// folded is the kind of a box that was a frame.
const folded = "folded"

// Levels is how many frames are inside each other, at most.
func (d *Diagram) Levels() int {
	most := 0
	for _, n := range d.Nodes {
		if n.IsFrame {
			most = max(most, n.framesAround()+1)
		}
	}

	return most
}

// framesAround returns how many frames are around a node.
func (n *Node) framesAround() (frames int) {
	for f := n.Frame; f != nil; f = f.Frame {
		frames++
	}

	return frames
}

// Fold returns the picture with so many levels of frames: those inside of them are boxes, where their edges lead.
func (d *Diagram) Fold(levels int) *Diagram {
	copied := &Diagram{}
	of := map[*Node]*Node{}
	for _, n := range d.Nodes {
		around := of[n.Frame]
		if around != nil && around.Kind == folded {
			of[n] = around
			around.holds = append(around.holds, n.ID)
			continue
		}
		c := &Node{ID: n.ID, Label: n.Label, Kind: n.Kind, Frame: around, IsFrame: n.IsFrame, Faulty: n.Faulty, Added: n.Added}
		if c.IsFrame && c.framesAround() == levels {
			c.IsFrame, c.Kind = false, folded
		}
		of[n] = c
		if around != nil {
			around.children = append(around.children, c)
		}
		copied.Nodes = append(copied.Nodes, c)
	}
	for _, e := range d.Edges {
		c := &Edge{ID: e.ID, From: of[e.From], To: of[e.To], Label: e.Label, Dotted: e.Dotted, Faulty: e.Faulty, Added: e.Added}
		isThere := slices.ContainsFunc(copied.Edges, func(o *Edge) bool { return o.From == c.From && o.To == c.To && o.Label == c.Label })
		if !isThere && (c.From.Kind != folded || c.From != c.To) {
			copied.Edges = append(copied.Edges, c)
		}
	}

	return copied
}
