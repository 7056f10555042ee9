package yamldoc

import (
	"math"
	"regexp"
	"strconv"

	"gopkg.in/yaml.v3"
)

// scalar converts a scalar. start is where the node starts, content where its text starts, propertyEnd where its anchor
// and tag end (start when it has none).
func (c *converter) scalar(y *yaml.Node, start, content, propertyEnd, indent int) *Node {
	n := &Node{Text: c.mask.unhide(y.Value)}
	end := content
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.Quoted, end = true, doubleQuotedEnd(c.text, content)
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.Quoted, end = true, singleQuotedEnd(c.text, content)
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		n.Quoted, end = true, blockEnd(c.text, content, indent)
	case y.Value == "":
		content, end = propertyEnd, propertyEnd
	default:
		end = plainEnd(c.text, content, y.Value)
	}
	n.Span = c.span(content, end)
	n.Kind = String
	if !n.Quoted {
		n.Kind = resolve(n.Text)
	}
	if propertyEnd > start {
		c.applyTag(n, y.Tag, start, propertyEnd)
	}
	if n.Kind == Null {
		n.Text = ""
	}

	return n
}

// applyTag gives a scalar the kind that its tag asks for.
func (c *converter) applyTag(n *Node, tag string, start, end int) {
	for i := start; i < end; {
		if c.text[i] == '!' {
			c.tagged(n, tag, string(c.text[i:tagEnd(c.text, i)]), i)
			return
		}
		i = skipSpace(c.text, anchorEnd(c.text, i))
	}
}

func (c *converter) tagged(n *Node, tag, written string, at int) {
	want, known := tags[tag]
	switch {
	case written == "!":
		want = String
	case !known:
		c.fail(at, at+len(written), "tag %q is not known here", written).
			WithHint("a text that begins with ! must be quoted")
		return
	}

	got := resolve(n.Text)
	if want != String && got != want && !(want == Float && got == Int) {
		c.fail(at, at+len(written), "tag %q does not fit %q", written, n.Text)
		return
	}
	n.Kind = want
}

// tags are the tags that scalars can have, and the kinds that they ask for.
var tags = map[string]Kind{
	"!!str": String, "!!timestamp": String, "!!null": Null, "!!bool": Bool, "!!int": Int, "!!float": Float,
}

var (
	intPattern   = regexp.MustCompile(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	floatPattern = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,4})?$`)
)

// resolve returns the kind of a plain scalar by the YAML 1.2 core schema. Numbers that no 64-bit float can hold, .inf and
// .nan are text, since JSON has no such numbers.
func resolve(text string) Kind {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	if c := text[0]; c != '+' && c != '-' && c != '.' && (c < '0' || c > '9') || len(text) > 400 {
		return String
	}
	switch {
	case intPattern.MatchString(text):
		return Int
	case floatPattern.MatchString(text):
		if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(v, 0) {
			return Float
		}
	}

	return String
}
