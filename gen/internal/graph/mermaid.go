package graph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// DrawMermaid draws agents and their contents as a Mermaid flowchart. Parts with an error are red.
func DrawMermaid(errors []source.Span, agents ...*ir.Agent) string {
	return drawMermaid(&builder{errors: errors}, agents)
}

func drawMermaid(b *builder, agents []*ir.Agent) string { return writeMermaid(b.buildPicture(agents)) }

func writeMermaid(top *frame) string {
	m := &mermaid{members: map[kind][]string{}, marked: map[mark][]string{}, edges: map[mark][]string{}}
	m.b.WriteString("flowchart TD\n")
	m.writeFrame(top, "  ")
	for i, e := range top.allEdges() {
		arrow := "-->"
		if e.dotted {
			arrow = "-.->"
		}
		m.edges[e.mark] = append(m.edges[e.mark], strconv.Itoa(i))
		if label := cmp.Or(e.mark.prefixLabel(e.label), signs[e.mark]); label != "" {
			arrow += fmt.Sprintf(`|"%s"|`, escapeMermaid(label))
		}
		fmt.Fprintf(&m.b, "  %s %s %s\n", e.from, arrow, e.to)
	}
	m.writeStyles()
	m.writeMarks()

	return m.b.String()
}

type mermaid struct {
	b       strings.Builder
	members map[kind][]string
	// marked are the ids of nodes and frames with a mark, edges the numbers of edges with a mark.
	marked, edges map[mark][]string
}

func (m *mermaid) writeFrame(f *frame, indent string) {
	for _, n := range f.nodes {
		m.members[n.kind] = append(m.members[n.kind], n.id)
		m.marked[n.mark] = append(m.marked[n.mark], n.id)
		fmt.Fprintf(&m.b, "%s%s%s\"%s\"%s\n", indent, n.id, looks[n.kind].open, escapeMermaid(n.mark.prefixLabel(n.label)), looks[n.kind].end)
	}
	for _, inner := range f.frames {
		m.marked[inner.mark] = append(m.marked[inner.mark], inner.id)
		fmt.Fprintf(&m.b, "%ssubgraph %s[\"%s\"]\n", indent, inner.id, escapeMermaid(inner.mark.prefixLabel(inner.label)))
		if inner.kind != "" {
			m.members[inner.kind] = append(m.members[inner.kind], inner.id)
		}
		m.writeFrame(inner, indent+"  ")
		fmt.Fprintf(&m.b, "%send\n", indent)
	}
}

func (m *mermaid) writeStyles() {
	for _, k := range slices.Sorted(maps.Keys(m.members)) {
		// The word end would close a subgraph, hence the suffix.
		fmt.Fprintf(&m.b, "  classDef %sNode %s\n  class %s %sNode\n", k, looks[k].mermaidStyle(), strings.Join(m.members[k], ","), k)
	}
}

// writeMarks writes the styles of marked parts.
func (w *mermaid) writeMarks() {
	for _, m := range []mark{faulty, added, removed} {
		if ids := w.marked[m]; len(ids) > 0 {
			fmt.Fprintf(&w.b, "  classDef %sNode %s\n  class %s %sNode\n", m, markStyles[m], strings.Join(ids, ","), m)
		}
		if numbers := w.edges[m]; len(numbers) > 0 {
			fmt.Fprintf(&w.b, "  linkStyle %s %s\n", strings.Join(numbers, ","), markStyles[m])
		}
	}
}

// escapeMermaid escapes a label. Everything but letters, digits and harmless punctuation becomes a
// character code, which Mermaid displays as the character. An empty label becomes a space, since
// Mermaid has no empty labels.
func escapeMermaid(text string) string {
	if text == "" {
		return " "
	}
	var b strings.Builder
	for _, r := range words.Line(text) {
		if r > unicode.MaxASCII || unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" -_.,+", r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}

	return b.String()
}

// FindRoots returns the agents that a picture of p shows: the entry point, else every agent that no
// other agent contains.
func FindRoots(p *ir.Program) []*ir.Agent {
	if p.Entry != nil {
		return []*ir.Agent{p.Entry}
	}

	return p.TopLevelAgents()
}

// mostInner is the largest number of inner machines, flows and workflows in a picture that is part
// of a program. Larger pictures are unreadable, and with nested machines their size would grow with
// the square of the depth.
const mostInner = 24

// DrawPicture draws a machine, a flow or a workflow for the program, as a Mermaid flowchart. Inner
// agents are drawn as boxes with double sides if there are more than mostInner.
func DrawPicture(agent *ir.Agent) string {
	inner := slices.DeleteFunc(ir.ReachableFrom(agent), func(a *ir.Agent) bool { return a == agent || !hasFrame(a) })

	return drawMermaid(&builder{shallow: len(inner) > mostInner}, []*ir.Agent{agent})
}
