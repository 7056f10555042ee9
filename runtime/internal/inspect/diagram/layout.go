package diagram

import (
	"cmp"
	"math"
	"slices"

	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
)

// Sizes in pixels of a picture whose text is 13 pixels high.
const (
	cellWidth  = 7.6
	lineHeight = 17.0
	padding    = 12.0
	framePad   = 18.0
	frameHead  = 26.0
	gapX       = 26.0
	gapY       = 13.0
	loopWidth  = 34.0
	// labelGap is how far a label is from the line that it is beside.
	labelGap = 7.0
	// lineCells is where the label of a node is broken, labelCells that of an edge.
	lineCells, labelCells = 30, 26
	// rowWidth is how wide a row of nodes is that no edge joins.
	rowWidth = 1000.0
)

type point struct{ x, y float64 }

// vertex is a node or a frame among those of one frame, or the part of an edge that passes a rank.
type vertex struct {
	node *Node
	edge *Edge
	w, h float64
	// beside is how far the middle of its room is from its x: the label of an edge is beside the line.
	beside float64
	// rank is from the top; nodes have even ones, labels of edges odd ones.
	rank int
	// at is the position in the rank, x and y the centre.
	at      int
	x, y    float64
	in, out []*vertex
}

// left and right are how much room a vertex has on each side of its x.
func (v *vertex) left() float64  { return v.w/2 - v.beside }
func (v *vertex) right() float64 { return v.w/2 + v.beside }

// route is an edge between two vertices of a frame.
type route struct {
	edge     *Edge
	from, to *vertex
	// reversed reports whether the edge leads upwards.
	reversed bool
}

// Layout finds a place for each part and returns how large the picture is.
func (d *Diagram) Layout() (width, height float64) {
	top := &Node{IsFrame: true}
	for _, n := range d.Nodes {
		if n.Frame == nil {
			top.children = append(top.children, n)
		}
	}
	d.layOutFrame(top)
	top.shiftContent(0, -frameHead+framePad)
	for _, e := range d.Edges {
		e.computePoints()
	}

	return top.W, top.H - frameHead + framePad
}

// layOutFrame lays the inside of a frame out. Places are relative to the frame until shift.
func (d *Diagram) layOutFrame(f *Node) {
	vertices := make([]*vertex, len(f.children))
	of := map[*Node]*vertex{}
	for i, n := range f.children {
		if n.IsFrame {
			d.layOutFrame(n)
		} else {
			n.measureSize()
		}
		vertices[i] = &vertex{node: n, w: n.W, h: n.H}
		of[n] = vertices[i]
	}
	var routes []*route
	for _, e := range d.Edges {
		from, to := of[childContaining(e.From, f)], of[childContaining(e.To, f)]
		switch {
		case from == nil || to == nil:
		case from == to:
			if e.From == e.To {
				e.labelLines, e.labelW, e.labelH = breakLabel(e.Label, labelCells)
				from.w = max(from.w, e.From.W+loopWidth+e.labelW)
			}
		default:
			routes = append(routes, &route{edge: e, from: from, to: to})
		}
	}
	breakCycles(vertices, routes)
	assignRanks(vertices, routes)
	layers := splitRanks(vertices, routes)
	reduceCrossings(layers)
	assignX(layers)
	f.fitFrame(layers, float64(cells.Width(f.Label))*cellWidth+2*padding) // as wide as its label
}

// childContaining is the child of a frame in which a node is, or that it is; nil if it is elsewhere.
func childContaining(n, frame *Node) *Node {
	isRoot := frame.Frame == nil && frame.ID == ""
	for n != nil && n.Frame != frame {
		if isRoot && n.Frame == nil {
			break
		}
		n = n.Frame
	}

	return n
}

// measureSize sets the size of a node.
func (n *Node) measureSize() {
	switch n.Kind {
	case "start":
		n.W, n.H = 14, 14
		return
	case "end":
		n.W, n.H = 20, 20
		return
	}
	label := n.Label
	if n.Kind == folded {
		label = "▸ " + label
	}
	n.lines, n.W, n.H = breakLabel(label, lineCells)
	n.W, n.H = max(n.W+2*padding, 44), n.H+2*padding-6
	if n.Kind == "choice" {
		n.W, n.H = n.W+36, n.H+20
	}
}

// breakLabel breaks a label into lines, and returns the size of the text.
func breakLabel(label string, most int) (lines []string, width, height float64) {
	lines = cells.Wrap(cells.Plain(label), most, most)
	for _, line := range lines {
		width = max(width, float64(cells.Width(line))*cellWidth)
	}

	return lines, width, float64(len(lines)) * lineHeight
}

// breakCycles reverses the edges that lead back, so that the graph has no cycle.
func breakCycles(vertices []*vertex, routes []*route) {
	const busy, done = 1, 2
	state := map[*vertex]int{}
	leaving := map[*vertex][]*route{}
	for _, r := range routes {
		leaving[r.from] = append(leaving[r.from], r)
	}
	var visit func(v *vertex)
	visit = func(v *vertex) {
		state[v] = busy
		for _, r := range leaving[v] {
			switch state[r.to] {
			case busy:
				r.reversed = true
			case 0:
				visit(r.to)
			}
		}
		state[v] = done
	}
	for _, v := range vertices {
		if state[v] == 0 {
			visit(v)
		}
	}
	for _, r := range routes {
		if r.reversed {
			r.from, r.to = r.to, r.from
		}
		r.from.out = append(r.from.out, r.to)
		r.to.in = append(r.to.in, r.from)
	}
}

// assignRanks puts each vertex below all that lead to it.
func assignRanks(vertices []*vertex, routes []*route) {
	waits := map[*vertex]int{}
	var free []*vertex
	for _, v := range vertices {
		waits[v] = len(v.in)
		if waits[v] == 0 {
			free = append(free, v)
		}
	}
	for ; len(free) > 0; free = free[1:] {
		v := free[0]
		for _, below := range v.out {
			below.rank = max(below.rank, v.rank+2)
			waits[below]--
			if waits[below] == 0 {
				free = append(free, below)
			}
		}
	}
	width, row := 0.0, 0
	for _, v := range vertices {
		switch {
		case len(v.in) == 0 && len(v.out) > 0: // close to what it leads to
			v.rank = slices.MinFunc(v.out, func(a, b *vertex) int { return cmp.Compare(a.rank, b.rank) }).rank - 2
		case len(v.in) == 0 && len(routes) == 0:
			width += v.w + gapX
			if width > rowWidth && width > v.w+gapX {
				width, row = v.w+gapX, row+2
			}
			v.rank = row
		}
	}
}

// splitRanks returns the vertices by rank. An edge becomes one more in each rank that it passes; the label is in the first of them.
func splitRanks(vertices []*vertex, routes []*route) [][]*vertex {
	var layers [][]*vertex
	add := func(v *vertex) {
		for len(layers) <= v.rank {
			layers = append(layers, nil)
		}
		v.at = len(layers[v.rank])
		layers[v.rank] = append(layers[v.rank], v)
	}
	for _, v := range vertices {
		v.in, v.out = nil, nil
		add(v)
	}
	for _, r := range routes {
		e := r.edge
		e.labelLines, e.labelW, e.labelH = breakLabel(e.Label, labelCells)
		labelled := r.from.rank + 1
		if r.reversed {
			labelled = r.to.rank - 1
		}
		before := r.from
		for rank := r.from.rank + 1; rank <= r.to.rank; rank++ {
			pass := r.to
			if rank < r.to.rank {
				pass = &vertex{edge: e, rank: rank}
				if rank == labelled {
					pass.w, pass.h = labelGap+e.labelW, e.labelH
					pass.beside = pass.w / 2
				}
				e.via = append(e.via, pass)
				add(pass)
			}
			before.out = append(before.out, pass)
			pass.in = append(pass.in, before)
			before = pass
		}
		if r.reversed {
			slices.Reverse(e.via)
		}
	}

	return layers
}

// reduceCrossings orders the vertices of each rank so that few edges cross.
func reduceCrossings(layers [][]*vertex) {
	best, fewest := copyLayers(layers), countCrossings(layers)
	total := 0
	for _, layer := range layers {
		total += len(layer)
	}
	rounds := 24
	if total > 2000 {
		rounds = 4
	}
	for round := 0; round < rounds && fewest > 0; round++ {
		if round%2 == 0 {
			for _, layer := range layers {
				sortByNeighbours(layer, func(v *vertex) []*vertex { return v.in })
			}
		} else {
			for _, layer := range slices.Backward(layers) {
				sortByNeighbours(layer, func(v *vertex) []*vertex { return v.out })
			}
		}
		if n := countCrossings(layers); n < fewest {
			best, fewest = copyLayers(layers), n
		}
	}
	for i, layer := range best {
		copy(layers[i], layer)
		numberLayer(layers[i])
	}
}

func copyLayers(layers [][]*vertex) [][]*vertex {
	copied := make([][]*vertex, len(layers))
	for i, layer := range layers {
		copied[i] = slices.Clone(layer)
	}

	return copied
}

func numberLayer(layer []*vertex) {
	for i, v := range layer {
		v.at = i
	}
}

// sortByNeighbours sorts a rank by the mean position of the neighbours. What has none stays behind its left one.
func sortByNeighbours(layer []*vertex, neighbours func(*vertex) []*vertex) {
	means := make(map[*vertex]float64, len(layer))
	last := -1.0
	for _, v := range layer {
		if next := neighbours(v); len(next) > 0 {
			last = 0
			for _, n := range next {
				last += float64(n.at)
			}
			last /= float64(len(next))
		}
		means[v] = last
	}
	slices.SortStableFunc(layer, func(a, b *vertex) int { return cmp.Compare(means[a], means[b]) })
	numberLayer(layer)
}

// countCrossings counts the pairs of edges that cross.
func countCrossings(layers [][]*vertex) int {
	count := 0
	for _, layer := range layers {
		var ends []int // the positions of the ends so far, sorted
		for _, v := range layer {
			for _, below := range v.out {
				at, _ := slices.BinarySearch(ends, below.at+1)
				count += len(ends) - at
			}
			for _, below := range v.out {
				at, _ := slices.BinarySearch(ends, below.at)
				ends = slices.Insert(ends, at, below.at)
			}
		}
	}

	return count
}

// assignX gives each vertex an x such that edges are as straight as the order of the ranks allows.
func assignX(layers [][]*vertex) {
	for _, layer := range layers {
		x := 0.0
		for _, v := range layer {
			v.x = x + v.left()
			x += v.w + gapX
		}
	}
	above := func(v *vertex) []*vertex { return v.in }
	below := func(v *vertex) []*vertex { return v.out }
	both := func(v *vertex) []*vertex { return slices.Concat(v.in, v.out) }
	for round := range 12 {
		for _, layer := range layers {
			alignLayer(layer, above)
		}
		for _, layer := range slices.Backward(layers) {
			alignLayer(layer, below)
		}
		if round >= 8 {
			for _, layer := range layers {
				alignLayer(layer, both)
			}
		}
	}
}

// block is a run of vertices that touch each other.
type block struct {
	sum, weight float64
	count       int
}

// alignLayer moves the vertices of a rank as close as it can to the middle of their neighbours: the least squares under their order, by
// pooling adjacent violators.
func alignLayer(layer []*vertex, neighbours func(*vertex) []*vertex) {
	var blocks []block
	offset := 0.0
	offsets := make([]float64, len(layer))
	for i, v := range layer {
		if i > 0 {
			offset += layer[i-1].right() + v.left() + gapX
		}
		offsets[i] = offset
		want, weight := v.wantedX(neighbours(v))
		blocks = append(blocks, block{(want - offset) * weight, weight, 1})
		for n := len(blocks); n > 1 && blocks[n-2].sum/blocks[n-2].weight > blocks[n-1].sum/blocks[n-1].weight; n-- {
			left, right := blocks[n-2], blocks[n-1]
			blocks = append(blocks[:n-2], block{left.sum + right.sum, left.weight + right.weight, left.count + right.count})
		}
	}
	i := 0
	for _, b := range blocks {
		for range b.count {
			layer[i].x = b.sum/b.weight + offsets[i]
			i++
		}
	}
}

// wantedX is where a vertex would be best, and how much it matters: parts of one long edge are to be below each other.
func (v *vertex) wantedX(neighbours []*vertex) (x, weight float64) {
	for _, n := range neighbours {
		matters := 1.0
		if v.edge != nil && n.edge != nil {
			matters = 8
		}
		x += n.x * matters
		weight += matters
	}
	if weight == 0 {
		return v.x, 0.1
	}

	return x / weight, weight
}

// fitFrame gives the vertices their final places in a frame, and the frame its size.
func (f *Node) fitFrame(layers [][]*vertex, least float64) {
	left, right := math.Inf(1), math.Inf(-1)
	y := frameHead
	for _, layer := range layers {
		height := 0.0
		for _, v := range layer {
			height = max(height, v.h)
			left, right = min(left, v.x-v.left()), max(right, v.x+v.right())
		}
		for _, v := range layer {
			v.y = y + height/2
			if v.node != nil {
				v.y = y + v.h/2
			}
		}
		y += height + gapY
	}
	if len(layers) == 0 {
		left, right = 0, 0
	}
	f.W, f.H = max(right-left+2*framePad, least), y-gapY+framePad
	margin := framePad - left + (f.W-(right-left+2*framePad))/2
	for _, layer := range layers {
		for _, v := range layer {
			v.x += margin
			if v.node != nil {
				v.node.X, v.node.Y = v.x-v.w/2, v.y-v.h/2
			} else {
				f.passes = append(f.passes, v)
			}
		}
	}
}

// shiftContent makes the positions inside a frame absolute.
func (f *Node) shiftContent(x, y float64) {
	f.X, f.Y = f.X+x, f.Y+y
	for _, v := range f.passes {
		v.x, v.y = v.x+f.X, v.y+f.Y
	}
	for _, n := range f.children {
		n.shiftContent(f.X, f.Y)
	}
}

// computePoints computes the points of an edge from the positions that it passes.
func (e *Edge) computePoints() {
	if e.From == e.To {
		n := e.From
		e.labelX, e.labelY = n.X+n.W+loopWidth+e.labelW/2-4, n.Y+n.H/2
		return
	}
	for _, v := range e.via {
		if v.h == 0 {
			e.points = append(e.points, point{v.x, v.y})
			continue
		}
		e.labelX, e.labelY = v.x+labelGap+e.labelW/2, v.y
		half := v.h / 2 // beside its label the line is straight
		if e.From.Y > e.To.Y {
			half = -half
		}
		e.points = append(e.points, point{v.x, v.y - half}, point{v.x, v.y + half})
	}
	first, last := e.To.centre(), e.From.centre()
	if len(e.points) > 0 {
		first, last = e.points[0], e.points[len(e.points)-1]
	}
	e.points = slices.Concat([]point{e.From.portTowards(first)}, e.points, []point{e.To.portTowards(last)})
}

func (n *Node) centre() point { return point{n.X + n.W/2, n.Y + n.H/2} }

// portTowards is where an edge that comes from a point reaches a node: above or below it.
func (n *Node) portTowards(from point) point {
	at := n.centre()
	margin := 12.0
	switch n.Kind {
	case "start", "end", "choice":
		margin = n.W / 2
	case "terminal", "marker":
		margin = n.H / 2
	}
	if n.W > 2*margin {
		at.x = min(max(from.x, n.X+margin), n.X+n.W-margin)
	}
	at.y = n.Y
	if from.y > n.Y+n.H/2 {
		at.y += n.H
	}

	return at
}
