package app

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// way is a row by which a machine can leave a state; to is "" where it ends the machine.
type way struct {
	label, to string
}

// key is the key of the row, without its guard and its timer.
func (w way) key() string {
	key := w.label
	for _, more := range []string{" [", " when ", ", after "} {
		key, _, _ = strings.Cut(key, more)
	}

	return key
}

func (w way) String() string {
	e := event.Event{Key: w.label, To: w.to}
	if w.label == "" {
		e.Matched = string(rt.MatchUnconditional)
	}

	return strings.TrimSpace(transition(e))
}

// picture is what the Mermaid text of an agent says: all that a program tells about the rows of its machines.
type picture struct {
	// nodes are states, steps and frames around them, in the order of the text.
	nodes []pictureNode
	edges []pictureEdge
	// labels are those of the nodes, by id.
	labels map[string]string
}

type pictureNode struct {
	// frame is the id of the frame that the node is in; "" outside of all.
	id, label, frame string
}

type pictureEdge struct {
	from, label, to string
}

// lineOf reads a line of the picture: the label of a frame or of a node, or an edge; ok is false for a line that says how it looks.
func (p *picture) lineOf(text, frame string) (id string, ok bool) {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "subgraph "); ok {
		text = rest
	}
	id, rest := idOf(text)
	if id == "" || rest == "" {
		return "", false
	}
	label, labelled := labelOf(rest)
	arrow, isEdge := strings.CutPrefix(rest, " -")
	if !isEdge {
		if labelled {
			p.nodes = append(p.nodes, pictureNode{id, label, frame})
		}
		return id, labelled
	}
	if to := arrow[strings.LastIndexByte(arrow, ' ')+1:]; strings.HasPrefix(to, "n") {
		p.edges = append(p.edges, pictureEdge{id, label, to})
	}

	return id, true
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

	return unescaped(text[from+1 : to]), true
}

func readPicture(text string) picture {
	p := picture{labels: map[string]string{}}
	frames := []string{""}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "end" && len(frames) > 1 {
			frames = frames[:len(frames)-1]
			continue
		}
		id, ok := p.lineOf(line, frames[len(frames)-1])
		if ok && strings.HasPrefix(strings.TrimSpace(line), "subgraph ") {
			frames = append(frames, id)
		}
	}
	for _, n := range p.nodes {
		p.labels[n.id] = n.label
	}

	return p
}

// unescaped is a label as it was before it was written as Mermaid, with #35; for a character.
func unescaped(label string) string {
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

// machine is the machine that the frame with an id is; "" for none.
func (p picture) machine(id string) string {
	name, _, _ := strings.Cut(p.labels[id], gateFrame)

	return name
}

// fromAny is the node of a workflow's picture from which the rows lead that count in every state.
const fromAny = "from any state"

// gateFrame stands in the label of a gate's frame between its name and what may be done in every state.
const gateFrame = ", in every state:"

// ways are the rows by which a machine of the picture leaves a state, in the order of the source.
func (p picture) ways(machine, state string) []way {
	var ways []way
	for _, n := range p.nodes {
		if p.machine(n.frame) != machine || n.label != state && n.label != fromAny {
			continue
		}
		for _, e := range p.edges {
			if e.from == n.id {
				ways = append(ways, way{e.label, strings.TrimSpace(p.labels[e.to])})
			}
		}
	}

	return ways
}
