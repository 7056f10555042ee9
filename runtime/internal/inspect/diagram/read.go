package diagram

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// Diagram is a picture: nodes, frames around them, and edges.
type Diagram struct {
	// Nodes are nodes and frames in the order of the text: a frame comes before what is in it.
	Nodes []*Node
	Edges []*Edge
	byID  map[string]*Node
}

// Node is a state, a step, or a frame around some.
type Node struct {
	ID, Label string
	// Kind is the look: a class of the text without its suffix, such as agent or end; "" for a
	// plain frame.
	Kind string
	// Frame is the frame that the node is in; nil outside of all.
	Frame   *Node
	IsFrame bool
	// Faulty reports whether its source has an error or, in a picture of a difference, whether it
	// is gone; Added whether it is new there.
	Faulty, Added bool

	// X, Y is the upper left corner, W and H are the size, in pixels; zero before [Diagram.Layout].
	X, Y, W, H float64
	// lines are the lines of the label. passes are parts of edges among the children.
	lines    []string
	children []*Node
	passes   []*vertex
	// holds are the ids of what was in a frame that is folded.
	holds []string
}

// Edge leads from a node or frame to another.
type Edge struct {
	// ID is e and the number of the edge in the text.
	ID             string
	From, To       *Node
	Label          string
	Dotted, Faulty bool
	Added          bool

	// via is what the edge passes, from its source on, points where it is drawn.
	via    []*vertex
	points []point
	// labelLines are drawn around labelX, labelY, in a box of labelW and labelH.
	labelLines                     []string
	labelX, labelY, labelW, labelH float64
}

// Read reads the text of a picture.
func Read(text string) *Diagram {
	d := &Diagram{byID: map[string]*Node{}}
	var frame *Node
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		rest, isFrame := strings.CutPrefix(line, "subgraph ")
		switch {
		case line == "end" && frame != nil:
			frame = frame.Frame
		case isFrame:
			if n := d.readNode(rest, frame); n != nil {
				n.IsFrame = true
				frame = n
			}
		case strings.HasPrefix(line, "class "):
			d.readClass(strings.Fields(line))
		case strings.HasPrefix(line, "linkStyle "):
			d.linkStyle(strings.Fields(line))
		case !d.readEdge(line):
			d.readNode(line, frame)
		}
	}

	return d
}

// readNode reads a node or the head of a frame.
func (d *Diagram) readNode(text string, frame *Node) *Node {
	id, rest := idOf(text)
	label, ok := labelOf(rest)
	if id == "" || !ok {
		return nil
	}
	n := &Node{ID: id, Label: label, Frame: frame}
	d.Nodes = append(d.Nodes, n)
	d.byID[id] = n
	if frame != nil {
		frame.children = append(frame.children, n)
	}

	return n
}

// readEdge reads an edge, which is added once both its ends are known: they come before all edges.
func (d *Diagram) readEdge(text string) bool {
	from, rest := idOf(text)
	arrow, ok := strings.CutPrefix(rest, " -")
	if from == "" || !ok {
		return false
	}
	label, _ := labelOf(arrow)
	to := arrow[strings.LastIndexByte(arrow, ' ')+1:]
	e := &Edge{ID: "e" + strconv.Itoa(len(d.Edges)), From: d.byID[from], To: d.byID[to], Label: label, Dotted: strings.HasPrefix(arrow, ".")}
	if e.From != nil && e.To != nil {
		d.Edges = append(d.Edges, e)
	}

	return true
}

// readClass reads of which kind nodes are: class n1,n2 agentNode.
func (d *Diagram) readClass(words []string) {
	if len(words) < 3 || strings.Trim(words[2], "abcdefghijklmnopqrstuvwxyzN") != "" {
		return
	}
	kind := strings.TrimSuffix(words[2], "Node")
	for id := range strings.SplitSeq(words[1], ",") {
		switch n := d.byID[id]; {
		case n == nil:
		case kind == "error", kind == "removed":
			n.Faulty = true
		case kind == "added":
			n.Added = true
		default:
			n.Kind = kind
		}
	}
}

// linkStyle reads which edges are red, for errors and for what is gone, and which are green, for what is new.
func (d *Diagram) linkStyle(words []string) {
	if len(words) < 2 {
		return
	}
	isAdded := len(words) > 2 && strings.HasPrefix(words[2], "stroke:#15803d")
	for number := range strings.SplitSeq(words[1], ",") {
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(d.Edges) {
			d.Edges[i].Faulty, d.Edges[i].Added = !isAdded, isAdded
		}
	}
}

// idOf is the name of a node that a text begins with, and the rest.
func idOf(text string) (id, rest string) {
	if !strings.HasPrefix(text, "n") {
		return "", ""
	}
	n := 1
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	if n == 1 {
		return "", ""
	}

	return text[:n], text[n:]
}

// labelOf is the text between the quotation marks.
func labelOf(text string) (label string, ok bool) {
	from, to := strings.IndexByte(text, '"'), strings.LastIndexByte(text, '"')
	if from == to {
		return "", false
	}

	return unescapeLabel(text[from+1 : to]), true
}

// unescapeLabel is a label as it was before it was written as Mermaid, with #35; for a character.
func unescapeLabel(label string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(label, "#")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		code, after, ok := strings.Cut(rest, ";")
		n, err := strconv.Atoi(code)
		if !ok || err != nil {
			b.WriteByte('#')
			label = rest
			continue
		}
		b.WriteRune(rune(n))
		label = after
	}
}

// gateFrame is in the label of a gate's frame, between its name and what may be done in every state.
const gateFrame = ", in every state:"

// Name is the label without the text after the name of a gate.
func (n *Node) Name() string {
	if n == nil {
		return ""
	}
	name, _, _ := strings.Cut(n.Label, gateFrame)

	return name
}

// FromAny is the node of a workflow's picture from which the rows lead that count in every state.
const FromAny = "from any state"

// Rows are the edges by which a machine leaves a state, in the order of the source.
func (d *Diagram) Rows(machine, state string) []*Edge {
	var rows []*Edge
	for _, n := range d.Nodes {
		if n.Frame.Name() != machine || n.Label != state && n.Label != FromAny {
			continue
		}
		for _, e := range d.Edges {
			if e.From == n {
				rows = append(rows, e)
			}
		}
	}

	return rows
}

// Key is the key of a row, without its guard and its timer.
func (e *Edge) Key() string {
	key := e.Label
	for _, more := range []string{" [", " when ", ", after "} {
		key, _, _ = strings.Cut(key, more)
	}

	return key
}

// Taken is the row that leads where a decision led: the one with its key, if there are several; nil if none does.
func Taken(rows []*Edge, key, to string) *Edge {
	var taken *Edge
	for _, row := range rows {
		if strings.TrimSpace(row.To.Label) != to {
			continue
		}
		if row.Key() == key || wording.Fold(row.Key()) == wording.Fold(key) {
			return row
		}
		if taken == nil {
			taken = row
		}
	}

	return taken
}
