package app

import (
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/inspect/diagram"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
)

// treeWidth is how wide the lines of a trace are at most.
const treeWidth = 80

// treeDrawer draws the tree of a trace.
type treeDrawer struct {
	b strings.Builder
	// color reports whether the terminal knows colours, full whether values are written in full.
	color, full bool
	// columns is how wide the terminal is; 0 if there is none.
	columns int
	// said is the value that was drawn last: what hands it on does not say it again.
	said string
	// ways are the rows that a decision had to choose from; nil if they are not known.
	ways func(decision *trace.Node) []*diagram.Edge
}

// entry is a node as it is drawn: its own line, and what is to be said about it below.
type entry struct {
	head    string
	style   string
	details []string
}

// The styles of lines.
const (
	styleBold = "\x1b[1m"
	styleDim  = "\x1b[2m"
	styleRed  = "\x1b[31m"
	styleCyan = "\x1b[36m"
	styleEnd  = "\x1b[0m"
)

// lineWidth returns how wide lines are at most.
func (d *treeDrawer) lineWidth() int {
	if d.columns > 0 {
		return min(d.columns, treeWidth)
	}

	return treeWidth
}

// writeChildren writes everything below a node.
func (d *treeDrawer) writeChildren(n *trace.Node, indent string) {
	shown := d.shownNodes(n.Children)
	for i, child := range shown {
		first, rest := "├─ ", "│  "
		if i == len(shown)-1 {
			first, rest = "└─ ", "   "
		}
		below := indent + rest
		e := d.describeNode(child)
		grand := d.shownNodes(child.Children)
		hang := below + "   "
		if len(grand) > 0 {
			hang = below + "│  "
		}
		d.writeEntry(e, indent+first, hang)
		d.writeChildren(child, below)
	}
}

// shownNodes returns the nodes that get lines. Guards that have answered are shown at the decision
// that asked for them, and tools that one turn called side by side need no branches around them.
func (d *treeDrawer) shownNodes(nodes []*trace.Node) []*trace.Node {
	var shown []*trace.Node
	for _, n := range nodes {
		switch {
		case n.Kind == trace.Branch && len(n.Children) == 1 && n.Children[0].Kind == trace.Agent: // as scripts call it
			alone := *n.Children[0]
			alone.Name += "@" + n.Name
			shown = append(shown, &alone)
		case n.Kind == trace.Guard && !n.Open() && n.Problem == "":
		case n.Kind == trace.Parallel && onlyTools(n):
			for _, branch := range n.Children {
				shown = append(shown, d.shownNodes(branch.Children)...)
			}
		default:
			shown = append(shown, n)
		}
	}

	return shown
}

// onlyTools reports whether the branches of a group are calls of tools, as a model's turn has them.
func onlyTools(group *trace.Node) bool {
	for _, branch := range group.Children {
		for _, n := range branch.Children {
			switch n.Kind {
			case trace.Tool, trace.Ask, trace.Guard, trace.Decision, trace.Resume:
			default:
				return false
			}
		}
	}

	return len(group.Children) > 0
}

// writeEntry writes a node's lines: first is before the first one, rest before the others.
func (d *treeDrawer) writeEntry(e entry, first, rest string) {
	for _, line := range wrapCells(cells.Clean(e.head), d.lineWidth()-utf8.RuneCountInString(first), d.lineWidth()-utf8.RuneCountInString(rest)) {
		d.writeLine(first, line, e.style)
		first = rest
	}
	for _, detail := range e.details {
		for _, line := range wrapCells(cells.Clean(detail), d.lineWidth()-utf8.RuneCountInString(rest), d.lineWidth()-utf8.RuneCountInString(rest)) {
			d.writeLine(rest, line, styleDim)
		}
	}
}

func (d *treeDrawer) writeLine(indent, text, style string) {
	if d.color && style != "" && text != "" {
		text = style + text + styleEnd
	}
	d.b.WriteString(strings.TrimRight(indent+text, " "))
	d.b.WriteByte('\n')
}

// wrapCells breaks text into lines of at most so many cells, the first of another width than the
// others. There is always a line.
func wrapCells(text string, first, rest int) []string {
	const least = 20 // deep in a tree lines are longer than they should be
	if lines := cells.Wrap(text, max(first, least), max(rest, least)); len(lines) > 0 {
		return lines
	}

	return []string{""}
}

// shorten returns the beginning of a value.
func (d *treeDrawer) shorten(value string) string {
	const most = 100
	if d.full || utf8.RuneCountInString(value) <= most {
		return value
	}

	return string([]rune(value)[:most]) + "..."
}
