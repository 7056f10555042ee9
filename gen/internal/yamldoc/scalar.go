package yamldoc

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// convertScalar converts a scalar. start is the offset of the node, content that of its text, and
// propertyEnd the end of its anchor and tag, or start.
func (c *converter) convertScalar(y *yaml.Node, start, content, propertyEnd, indent int) *Node {
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
		n.Kind = kindOfPlain(n.Text)
	}
	if propertyEnd > start {
		c.applyTag(n, y.Tag, start, propertyEnd)
	}
	if n.Kind == Null {
		n.Text = ""
	}

	return n
}

// applyTag sets the kind of a scalar by its tag.
func (c *converter) applyTag(n *Node, tag string, start, end int) {
	at := start
	if c.text[at] != '!' { // after an anchor
		at = skipSpace(c.text, anchorEnd(c.text, at))
	}
	if at >= end || c.text[at] != '!' {
		return
	}
	written := string(c.text[at:tagEnd(c.text, at)])
	want, known := tags[tag]
	switch {
	case written == "!":
		want = String
	case !known:
		c.fail(at, at+len(written), "tag %q is not known here", written).
			WithHint("a text that begins with ! must be quoted")
		return
	}

	got := kindOfPlain(n.Text)
	if want != String && got != want && !(want == Float && got == Int) {
		c.fail(at, at+len(written), "tag %q does not fit %q", written, n.Text)
		return
	}
	n.Kind = want
}

// tags are the tags of scalars, with their kinds.
var tags = map[string]Kind{
	"!!str": String, "!!timestamp": String, "!!null": Null, "!!bool": Bool, "!!int": Int, "!!float": Float,
}

var (
	intPattern   = regexp.MustCompile(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	floatPattern = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,4})?$`)
)

// kindOfPlain returns the kind of a plain scalar by the YAML 1.2 core schema. Numbers beyond 64-bit
// floats, .inf and .nan are text, because JSON has no such numbers.
func kindOfPlain(text string) Kind {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	c := text[0]
	isNumeric := '0' <= c && c <= '9' || strings.IndexByte("+-.", c) >= 0
	if !isNumeric || len(text) > 400 {
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

// The following functions find the end of a scalar in a text that the library has accepted. They
// take the offset of its start and return the offset after it.

// skipProperties skips the anchor and the tag of a node at offset i. It returns the start of the
// content and the end of the last property; both are i if there is none.
func skipProperties(text []byte, i int) (content, end int) {
	content, end = i, i
	for content < len(text) {
		switch text[content] {
		case '&':
			end = anchorEnd(text, content)
		case '!':
			end = tagEnd(text, content)
		default:
			return content, end
		}
		content = skipSpace(text, end)
	}

	return content, end
}

// anchorEnd returns the end of an anchor or alias that begins at i.
func anchorEnd(text []byte, i int) int {
	return i + 1 + len(anchor.Find(text[i+1:]))
}

var anchor = regexp.MustCompile(`^[A-Za-z0-9_-]*`)

// tagEnd returns the end of a tag that begins at i. Only a blank or a line break ends it.
func tagEnd(text []byte, i int) int {
	return indexFrom(text, i, " \t\r\n")
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isBreak(c byte) bool { return c == '\n' || c == '\r' }

// skipSpace skips blanks, line breaks and comments.
func skipSpace(text []byte, i int) int {
	for i < len(text) {
		switch {
		case isBlank(text[i]) || isBreak(text[i]):
			i++
		case text[i] == '#' && (i == 0 || isBlank(text[i-1]) || isBreak(text[i-1])):
			i = lineEnd(text, i)
		default:
			return i
		}
	}

	return i
}

// lineEnd returns the offset of the next line break after i, or the end of the text.
func lineEnd(text []byte, i int) int {
	return indexFrom(text, i, "\r\n")
}

// indexFrom returns the offset of the first of some characters after i, or the end of the text.
func indexFrom(text []byte, i int, chars string) int {
	if n := bytes.IndexAny(text[i:], chars); n >= 0 {
		return i + n
	}

	return len(text)
}

// nextLine returns the start of the line after the one of i.
func nextLine(text []byte, i int) int {
	i = lineEnd(text, i)
	switch {
	case i == len(text):
		return i
	case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
		return i + 2
	}

	return i + 1
}

func doubleQuotedEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}

	return len(text)
}

func singleQuotedEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		if text[i] != '\'' {
			continue
		}
		if i+1 == len(text) || text[i+1] != '\'' {
			return i + 1
		}
		i++
	}

	return len(text)
}

// plainEnd returns the end of a plain scalar with a known value.
func plainEnd(text []byte, i int, value string) int {
	if bytes.HasPrefix(text[i:], []byte(value)) {
		return i + len(value)
	}
	a := &aligner{source: text[i:], text: value}
	a.alignFlow(len(a.source)) // up to the first difference

	return i + a.i
}

// foldEnd returns the offset after the line breaks at i, if only blanks precede them, or -1.
func foldEnd(text []byte, i int) int {
	rest := bytes.TrimLeft(text[i:], " \t")
	if len(rest) == 0 || !isBreak(rest[0]) {
		return -1
	}

	return len(text) - len(bytes.TrimLeft(rest, " \t\r\n"))
}

// blockEnd returns the end of a literal or folded scalar. around is the column of the surrounding
// collection, or -1 at the top. Line breaks of the value belong to the scalar.
func blockEnd(text []byte, i, around int) int {
	keep, increment := blockHeader(string(text[i:lineEnd(text, i)]))
	indent, known := max(around, 0)+increment, increment > 0
	i = nextLine(text, i)
	end := i
	for ; i < len(text); i = nextLine(text, i) {
		stop := lineEnd(text, i)
		spaces := len(text[i:stop]) - len(bytes.TrimLeft(text[i:stop], " "))
		switch isBlank := i+spaces == stop; {
		case isBlank && (indent == 0 || spaces <= indent):
			if keep {
				end = nextLine(text, i)
			}
			continue
		case spaces <= around, known && spaces < indent:
			return end
		}
		if !known {
			known, indent = true, spaces
		}
		end = nextLine(text, i)
	}

	return end
}

// blockHeader parses the indicators after | or >.
func blockHeader(header string) (keep bool, increment int) {
	for _, c := range header[1:] {
		switch {
		case c == '+':
			keep = true
		case c >= '1' && c <= '9':
			increment = int(c - '0')
		case c != '-':
			return keep, increment
		}
	}

	return keep, increment
}
