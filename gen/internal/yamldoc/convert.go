package yamldoc

import (
	"cmp"

	"gopkg.in/yaml.v3"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// maxAliasNodes limits the nodes to which the aliases of a document expand. Nine lines of aliases
// to aliases can expand to a billion values; an agent needs no more than a few hundred.
const maxAliasNodes = 10_000

// converter converts the tree of the library. It stops at the first syntax error.
type converter struct {
	file   *source.File
	base   int // offset of text in the file
	text   []byte
	mask   *mask
	places *lineIndex

	anchors    map[*yaml.Node]*Node // the value of each anchor; nil while it is being converted
	sizes      map[*Node]int        // the number of nodes of an anchored value, with expanded aliases
	expanded   int
	syntax     *diag.Diagnostic
	duplicates []*diag.Diagnostic
}

// convertDocument returns the root of the document, or a Null node for an empty one.
func (c *converter) convertDocument(doc *yaml.Node) *Node {
	c.anchors, c.sizes = map[*yaml.Node]*Node{}, map[*Node]int{}
	if doc == nil || len(doc.Content) == 0 {
		return &Node{Kind: Null, Span: c.span(0, 0)}
	}
	n, _ := c.convertNode(doc.Content[0], -1)

	return n
}

func (c *converter) span(start, end int) source.Span {
	return source.Span{File: c.file, Start: c.base + start, End: c.base + end}
}

func (c *converter) fail(start, end int, format string, args ...any) *diag.Diagnostic {
	d := diag.New(diag.Syntax, c.span(start, end), format, args...)
	c.syntax = cmp.Or(c.syntax, d)

	return d
}

// convertNode converts y and returns its number of nodes. indent is the column of the surrounding
// block collection, or -1 at the top.
func (c *converter) convertNode(y *yaml.Node, indent int) (n *Node, size int) {
	start := c.places.offsetOf(y.Line, y.Column)
	if y.Kind == yaml.AliasNode {
		return c.convertAlias(y, start)
	}
	if y.Anchor != "" {
		c.anchors[y] = nil
	}

	content, end := skipProperties(c.text, start)
	switch y.Kind {
	case yaml.ScalarNode:
		n, size = c.convertScalar(y, start, content, end, indent), 1
	case yaml.SequenceNode:
		n, size = c.convertSequence(y, content, indent)
	default:
		n, size = c.convertMapping(y, content, indent)
	}
	if y.Anchor != "" {
		c.anchors[y], c.sizes[n] = n, size
	}

	return n, size
}

func (c *converter) convertAlias(y *yaml.Node, start int) (*Node, int) {
	end := anchorEnd(c.text, start)
	target := c.anchors[y.Alias]
	if target == nil {
		c.fail(start, end, "alias %q is inside the value that it refers to", "*"+y.Value)
		return &Node{Kind: Null, Span: c.span(start, end)}, 1
	}

	size := c.sizes[target]
	c.expanded += size
	if c.expanded > maxAliasNodes {
		c.fail(start, end, "the aliases up to %q expand to more than %d values", "*"+y.Value, maxAliasNodes)
	}
	n := *target
	n.Span = c.span(start, end)

	return &n, size
}

func (c *converter) convertSequence(y *yaml.Node, start, indent int) (*Node, int) {
	n, size := &Node{Kind: Seq, Items: make([]*Node, 0, len(y.Content))}, 1
	flow := y.Style&yaml.FlowStyle != 0
	if !flow {
		indent = c.places.columnOf(start)
	}

	end := start + 1
	for _, item := range y.Content {
		child, s := c.convertNode(item, indent)
		if c.syntax != nil {
			break
		}
		n.Items = append(n.Items, child)
		size += s
		end = max(end, child.Span.End-c.base)
	}
	if flow {
		end = c.flowEnd(end, ']')
	}
	n.Span = c.span(start, end)

	return n, size
}

// flowEnd returns the end of a flow collection whose last child ends at i.
func (c *converter) flowEnd(i int, closing byte) int {
	for {
		i = skipSpace(c.text, i)
		switch {
		case i >= len(c.text):
			return len(c.text)
		case c.text[i] == closing:
			return i + 1
		}
		i++
	}
}
