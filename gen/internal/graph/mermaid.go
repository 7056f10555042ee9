package graph

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Mermaid draws agents, with all that they contain, as a Mermaid flowchart. What has one of the errors is red.
func Mermaid(errors []source.Span, agents ...*ir.Agent) string {
	return drawMermaid(&builder{errors: errors}, agents)
}

func drawMermaid(b *builder, agents []*ir.Agent) string {
	m := &mermaid{members: map[kind][]string{}}
	m.b.WriteString("flowchart TD\n")
	top := b.build(agents)
	m.frame(top, "  ")
	for i, e := range top.allEdges() {
		m.edge(i, e)
	}
	m.styles()
	m.errors(b.marked)

	return m.b.String()
}

type mermaid struct {
	b       strings.Builder
	members map[kind][]string
	// faulty are the numbers of the edges with errors.
	faulty []string
}

func (m *mermaid) frame(f *frame, indent string) {
	for _, n := range f.nodes {
		m.members[n.kind] = append(m.members[n.kind], n.id)
		fmt.Fprintf(&m.b, "%s%s%s\"%s\"%s\n", indent, n.id, looks[n.kind].open, mermaidText(n.label), looks[n.kind].end)
	}
	for _, inner := range f.frames {
		fmt.Fprintf(&m.b, "%ssubgraph %s[\"%s\"]\n", indent, inner.id, mermaidText(inner.label))
		if inner.kind != "" {
			m.members[inner.kind] = append(m.members[inner.kind], inner.id)
		}
		m.frame(inner, indent+"  ")
		fmt.Fprintf(&m.b, "%send\n", indent)
	}
}

func (m *mermaid) edge(number int, e edge) {
	arrow := "-->"
	if e.dotted {
		arrow = "-.->"
	}
	if e.label != "" {
		arrow += fmt.Sprintf(`|"%s"|`, mermaidText(e.label))
	}
	fmt.Fprintf(&m.b, "  %s %s %s\n", e.from, arrow, e.to)
	if e.isFaulty {
		m.faulty = append(m.faulty, strconv.Itoa(number))
	}
}

func (m *mermaid) styles() {
	for _, k := range slices.Sorted(maps.Keys(m.members)) {
		// The word end would close a subgraph, hence the suffix.
		fmt.Fprintf(&m.b, "  classDef %sNode %s\n  class %s %sNode\n", k, looks[k].style(), strings.Join(m.members[k], ","), k)
	}
}

// errors marks the nodes and frames with errors, and the edges.
func (m *mermaid) errors(marked []string) {
	if len(marked) > 0 {
		fmt.Fprintf(&m.b, "  classDef errorNode stroke:%s,stroke-width:4px\n  class %s errorNode\n", errorColour, strings.Join(marked, ","))
	}
	if len(m.faulty) > 0 {
		fmt.Fprintf(&m.b, "  linkStyle %s stroke:%s,stroke-width:3px\n", strings.Join(m.faulty, ","), errorColour)
	}
}

// mermaidText escapes a label: everything but letters, digits and harmless punctuation becomes a character code, which
// Mermaid shows as the character. An empty label is a space, since Mermaid has no empty ones.
func mermaidText(text string) string {
	if text == "" {
		return " "
	}
	var b strings.Builder
	for _, r := range printable(text) {
		if r > unicode.MaxASCII || unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" -_.,+", r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}

	return b.String()
}
