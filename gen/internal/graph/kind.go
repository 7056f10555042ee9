package graph

import (
	"cmp"
	"fmt"
)

// kind determines the look of a node or a frame.
type kind string

const (
	kindStart     kind = "start"    // where a frame begins
	kindAgent     kind = "agent"    // a state, or an operation of a flow, that runs an agent
	kindStep      kind = "step"     // a flow's own conversation
	kindPerson    kind = "person"   // a flow waits for a person
	kindTerminal  kind = "terminal" // a terminal that runs an agent
	kindMarker    kind = "marker"   // a terminal that runs nothing
	kindState     kind = "state"    // a state of a machine that others drive, or of a gate
	kindReference kind = "again"    // an agent with a frame that is drawn elsewhere
	kindGroup     kind = "group"    // a frame whose nodes run side by side
	kindEnd       kind = "end"      // the end of a flow, or of a machine by ~
	kindCode      kind = "code"     // a step of a workflow that asks neither a model nor a person
	kindChoice    kind = "choice"   // a step of a workflow that chooses a branch
	kindAny       kind = "any"      // every state of a machine in a workflow
)

// look is the look of a kind of nodes.
type look struct {
	// open and end are the brackets around the label in Mermaid, shape is the shape in DOT.
	open, end, shape string
	// fill and line are colours, mermaid and dot additional attributes.
	fill, line, mermaid, dot string
}

// looks are legible on light and on dark pages.
var looks = map[kind]look{
	kindStart:     {"((", "))", "circle", dark, dark, "", ", width=0.2"},
	kindAgent:     {"[", "]", "box", "#dbeafe", "#1d4ed8", "", ""},
	kindStep:      {"[", "]", "box", "#ede9fe", "#6d28d9", "", ""},
	kindPerson:    {"[/", "/]", "parallelogram", "#ffedd5", "#c2410c", "", ""},
	kindTerminal:  {"([", "])", "box", "#dcfce7", "#15803d", ",stroke-width:3px", `, style="filled,rounded", penwidth=3`},
	kindMarker:    {"((", "))", "ellipse", "#f3f4f6", "#6b7280", ",stroke-dasharray:4 3", `, style="filled,dashed"`},
	kindState:     {"(", ")", "box", "#fef9c3", "#a16207", "", `, style="filled,rounded"`},
	kindReference: {"[[", "]]", "box", "#dbeafe", "#1d4ed8", "", ", peripheries=2"},
	kindEnd:       {"(((", ")))", "doublecircle", dark, dark, "", ", width=0.2"},
	kindCode:      {"{{", "}}", "hexagon", "#f1f5f9", "#475569", "", ""},
	kindChoice:    {"{", "}", "diamond", "#f1f5f9", "#475569", "", ""},
	kindAny:       {"[", "]", "plaintext", "", "transparent", ",fill:transparent", ""},
	kindGroup:     {line: "#6b7280", mermaid: ",stroke-dasharray:6 4"},
}

// dark is a fill that needs white text.
const dark = "#333333"

// mermaidStyle returns the style of a class in Mermaid. Without a fill, the page determines the
// colours of fill and text.
func (l look) mermaidStyle() string {
	style := "stroke:" + l.line + l.mermaid
	switch l.fill {
	case "":
		return style
	case dark:
		return "fill:" + l.fill + "," + style + ",color:#fff"
	}

	return "fill:" + l.fill + "," + style + ",color:#111"
}

// dotAttributes returns the attributes of a node in DOT.
func (l look) dotAttributes() string {
	return fmt.Sprintf("shape=%s, fillcolor=%q, color=%q", l.shape, cmp.Or(l.fill, l.line), l.line) + l.dot
}

// borders are the borders of frames in DOT. Each has all attributes, because inner frames inherit
// them.
var borders = map[kind]string{
	"":           `style=solid, penwidth=1, color="#333333"`,
	kindTerminal: `style=solid, penwidth=3, color="#15803d"`,
	kindGroup:    `style=dashed, penwidth=1, color="#6b7280"`,
	kindState:    `style=rounded, penwidth=1, color="#a16207"`,
}

// errorColour is the colour of parts with an error.
const errorColour = "#dc2626"
