package app

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
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
	e := runtime.Event{Key: w.label, To: w.to}
	if w.label == "" {
		e.Matched = runtime.MatchUnconditional
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

var (
	frameLine = regexp.MustCompile(`^\s*subgraph (n\d+)\["(.*)"\]$`)
	nodeLine  = regexp.MustCompile(`^\s*(n\d+)[^"]+"(.*)"[^"]+$`)
	edgeLine  = regexp.MustCompile(`^\s*(n\d+) -\.?->(?:\|"(.*)"\|)? (n\d+)$`)
	labelCode = regexp.MustCompile(`#\d+;`)
)

func readPicture(text string) picture {
	p := picture{labels: map[string]string{}}
	frames := []string{""}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		inner := frames[len(frames)-1]
		switch {
		case strings.TrimSpace(line) == "end" && len(frames) > 1:
			frames = frames[:len(frames)-1]
		case frameLine.MatchString(line):
			m := frameLine.FindStringSubmatch(line)
			p.nodes = append(p.nodes, pictureNode{m[1], unescaped(m[2]), inner})
			frames = append(frames, m[1])
		case edgeLine.MatchString(line):
			m := edgeLine.FindStringSubmatch(line)
			p.edges = append(p.edges, pictureEdge{m[1], unescaped(m[2]), m[3]})
		case nodeLine.MatchString(line):
			m := nodeLine.FindStringSubmatch(line)
			p.nodes = append(p.nodes, pictureNode{m[1], unescaped(m[2]), inner})
		}
	}
	for _, n := range p.nodes {
		p.labels[n.id] = n.label
	}

	return p
}

// unescaped is a label as it was before it was written as Mermaid.
func unescaped(label string) string {
	return labelCode.ReplaceAllStringFunc(label, func(code string) string {
		n, err := strconv.Atoi(code[1 : len(code)-1])
		if err != nil {
			return code
		}

		return string(rune(n))
	})
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
