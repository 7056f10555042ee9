package panel

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/diagram"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
)

// diagramSet has the pictures of a program's machines.
type diagramSet struct {
	agents []compiled.Agent
	read   map[string]*diagram.Diagram
	known  map[place]surroundings
}

// surroundings are the states of a machine that is in one of them, and where it may go from there.
type surroundings struct {
	states []string
	ways   []*diagram.Edge
}

func newAtlas(p *compiled.Program) diagramSet {
	return diagramSet{agents: p.Agents, read: map[string]*diagram.Diagram{}, known: map[place]surroundings{}}
}

// findSurroundings is what there is around a state; nothing if no picture has it.
func (a *diagramSet) findSurroundings(at place) surroundings {
	s, ok := a.known[at]
	if !ok {
		p := a.diagramOf(at.machine)
		s = surroundings{statesOf(p, at.machine, at.state), p.Rows(at.machine, at.state)}
		a.known[at] = s
	}

	return s
}

// diagramOf returns the picture in which the machine is: that of the agent that is the machine, if there is one.
func (a *diagramSet) diagramOf(machine string) *diagram.Diagram {
	if p, ok := a.read[machine]; ok {
		return p
	}
	found := diagram.Read("")
	for _, info := range a.agents {
		p := diagram.Read(info.Graph)
		if !slices.ContainsFunc(p.Nodes, func(n *diagram.Node) bool { return n.Name() == machine }) {
			continue
		}
		found = p
		if info.Name == machine {
			break
		}
	}
	a.read[machine] = found

	return found
}

// statesOf are the states of the machine that has the state, in the order in which they can be
// reached, and terminal states last.
func statesOf(p *diagram.Diagram, machine, state string) []string {
	var frame *diagram.Node
	for _, n := range p.Nodes {
		if n.Label == state && n.Frame.Name() == machine {
			frame = n.Frame
		}
	}
	if frame == nil {
		return nil
	}
	var states, ends []string
	for _, n := range orderedNodes(p, frame) {
		switch label := strings.TrimSpace(n.Label); {
		case label == "" || label == diagram.FromAny:
		case slices.ContainsFunc(p.Edges, func(e *diagram.Edge) bool { return e.From == n }):
			states = append(states, label)
		default:
			ends = append(ends, label)
		}
	}

	return append(states, ends...)
}

// orderedNodes returns all nodes of a frame in the order of their distance from the first.
func orderedNodes(p *diagram.Diagram, frame *diagram.Node) []*diagram.Node {
	taken := map[*diagram.Node]bool{}
	var nodes []*diagram.Node
	for _, first := range p.Nodes {
		for next := []*diagram.Node{first}; len(next) > 0; next = next[1:] {
			n := next[0]
			if n.Frame != frame || taken[n] {
				continue
			}
			taken[n] = true
			nodes = append(nodes, n)
			for _, e := range p.Edges {
				if e.From == n {
					next = append(next, e.To)
				}
			}
		}
	}

	return nodes
}

// between is between the states of a strip.
const between = " · "

// drawStrip draws the states of a machine on one line of so many cells, with the current one in brackets, and says in which cell that
// begins. Of a machine with more states than fit, those around the current one are shown.
func drawStrip(states []string, at place, visits map[place]int, most int) (drawn row, column int) {
	parts := make([]row, len(states))
	current := -1
	for i, s := range states {
		parts[i] = stateOf(place{at.machine, s}, s == at.state, visits)
		if s == at.state {
			current = i
		}
	}
	if current < 0 { // no picture has it
		return stateOf(at, true, visits), 0
	}
	from, to := fitAround(parts, current, most)
	if from > 0 {
		drawn.appendText(lookDim, "…"+between)
	}
	for i := from; i < to; i++ {
		if i > from {
			drawn.appendText(lookDim, between)
		}
		if i == current {
			column = drawn.countCells()
		}
		drawn = append(drawn, parts[i]...)
	}
	if to < len(parts) {
		drawn.appendText(lookDim, between+"…")
	}

	return drawn, column
}

func stateOf(s place, current bool, visits map[place]int) row {
	text, l := s.state, lookDim
	n := visits[s]
	if n > 0 {
		l = lookPlain
	}
	if n > 1 {
		text += "×" + strconv.Itoa(n)
	}
	if current {
		text, l = "["+text+"]", lookBold
	}
	return newLine(l, text)
}

// fitAround returns the range of parts that fits into a width in cells. It adds neighbours of the
// current part on either side in turn.
func fitAround(parts []row, current, width int) (from, to int) {
	from, to = current, current+1
	used := parts[current].countCells()
	gap := cells.Width(between)
	// The strip shows on each side how many states are left out there.
	rest := func(from, to int) (n int) {
		if from > 0 {
			n += gap + 1
		}
		if to < len(parts) {
			n += gap + 1
		}
		return n
	}
	for grown := true; grown; {
		grown = false
		if to < len(parts) && used+gap+parts[to].countCells()+rest(from, to+1) <= width {
			used += gap + parts[to].countCells()
			to++
			grown = true
		}
		if from > 0 && used+gap+parts[from-1].countCells()+rest(from-1, to) <= width {
			from--
			used += gap + parts[from].countCells()
			grown = true
		}
	}

	return from, to
}

// drawTransitions draws where a machine may go from its state, one row below the other, beginning below the column of that state.
func drawTransitions(ways []*diagram.Edge, column, most, atMost int) []row {
	if len(ways) > atMost {
		ways = ways[:atMost]
	}
	texts := make([]string, len(ways))
	widest := 0
	for i, w := range ways {
		to := cmp.Or(strings.TrimSpace(w.To.Label), "end")
		texts[i] = strings.TrimSpace(w.Label + " → " + to)
		widest = max(widest, cells.Width(texts[i])+2)
	}
	column = max(min(column, most-widest), 0)
	rows := make([]row, len(texts))
	for i, text := range texts {
		branch := "├ "
		if i == len(texts)-1 {
			branch = "└ "
		}
		rows[i].appendText(lookDim, strings.Repeat(" ", column)+branch+text)
	}

	return rows
}
