package yamldoc

import (
	"bytes"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/agentc-dev/agentc/gen/diag"
)

// convertMapping converts a mapping. A merge key (<<) is replaced by its fields. Written fields
// take precedence over merged ones, and earlier merged mappings over later ones.
func (c *converter) convertMapping(y *yaml.Node, start, indent int) (*Node, int) {
	m := mappingReader{c: c, fields: make([]*Field, 0, len(y.Content)/2), size: 1}
	if cap(m.fields) > fewFields {
		m.keys = make(map[string]*Node, cap(m.fields))
	}
	flow := y.Style&yaml.FlowStyle != 0
	braces := flow && start < len(c.text) && c.text[start] == '{'
	if braces && len(y.Content) > 0 && c.places.offsetOf(y.Content[0].Line, y.Content[0].Column) == start {
		braces = false // `key: value` in a flow list, without its own braces
	}
	if !flow { // an anchor or tag before the first key may belong to the key
		start = c.places.offsetOf(y.Content[0].Line, y.Content[0].Column)
		indent = c.places.columnOf(start)
	}

	end := start
	if braces {
		end = start + 1
	}
	for i := 0; i+1 < len(y.Content) && c.syntax == nil; i += 2 {
		keyStart, entryEnd := m.addEntry(y.Content[i], y.Content[i+1], indent)
		end = max(end, entryEnd)
		if i == 0 && !braces {
			start = keyStart
		}
	}
	if braces {
		end = c.flowEnd(end, '}')
	}
	if c.syntax == nil {
		m.mergeFields()
	}

	return &Node{Kind: Map, Span: c.span(start, end), Fields: m.fields}, m.size
}

type mappingReader struct {
	c *converter
	// fields are in source order, with the merge key << until mergeFields replaces it.
	fields []*Field
	merge  *Field
	from   []*Node // the mappings of <<
	// keys finds written keys. It is nil for a few fields, where a linear search is faster.
	keys map[string]*Node
	size int
}

// fewFields is the maximum number of fields without a map. Nearly all mappings are a row with one
// field.
const fewFields = 8

// writtenKey returns the written key with a name, or nil.
func (m *mappingReader) writtenKey(name string) *Node {
	if m.keys != nil {
		return m.keys[name]
	}
	for _, f := range m.fields {
		if f.Key.Text == name && f != m.merge {
			return f.Key
		}
	}

	return nil
}

// addEntry converts a key with its value and returns the start of the key and the end of the value.
func (m *mappingReader) addEntry(ky, vy *yaml.Node, indent int) (start, end int) {
	c := m.c
	key := c.convertKey(ky, indent)
	if c.syntax != nil {
		return 0, 0
	}
	value, size := c.convertNode(vy, indent)
	if c.syntax != nil {
		return 0, 0
	}
	m.size += size + 1
	c.placeEmpty(key, value)
	start, end = key.Span.Start-c.base, max(key.Span.End, value.Span.End)-c.base

	isMerge := ky.Tag == "!!merge" && !key.Quoted
	if first := m.earlierKey(key, isMerge); first != nil {
		d := diag.New(diag.DuplicateKey, key.Span, "key %q is written twice in this mapping", key.Text)
		if isMerge {
			d.WithHint("one << can take a list: [*a, *b]")
		}
		c.duplicates = append(c.duplicates, d.Note(first.Span, "key %q is here first", first.Text))
		m.fillEmpty(first, value)
		return start, end
	}
	field := &Field{Key: key, Value: value}
	m.fields = append(m.fields, field)
	if isMerge {
		m.merge, m.from = field, c.mergeSources(value)
	} else if m.keys != nil {
		m.keys[key.Text] = key
	}

	return start, end
}

// fillEmpty gives a key without a value the value of its repetition, so that an accidental line has
// no other consequence.
func (m *mappingReader) fillEmpty(first, value *Node) {
	for _, f := range m.fields {
		if f.Key == first && f.Value.Kind == Null {
			f.Value = value
		}
	}
}

// earlierKey returns an equal key that precedes this one, or nil.
func (m *mappingReader) earlierKey(key *Node, isMerge bool) *Node {
	switch {
	case !isMerge:
		return m.writtenKey(key.Text)
	case m.merge != nil:
		return m.merge.Key
	}

	return nil
}

// mergeSources returns the mappings in the value of <<.
func (c *converter) mergeSources(value *Node) []*Node {
	sources := []*Node{value}
	if value.Kind == Seq {
		sources = value.Items
	}
	for _, s := range sources {
		if s.Kind != Map {
			start, end := value.Span.Start-c.base, value.Span.End-c.base
			c.fail(start, end, "the value of << must be a mapping or a list of mappings, found %s", s.Kind).
				WithHint("to have << as a key of its own, quote it")
			return nil
		}
	}

	return sources
}

// mergeFields replaces << by the fields of its mappings.
func (m *mappingReader) mergeFields() {
	if m.merge == nil {
		return
	}
	var brought []*Field
	taken := map[string]bool{}
	for _, from := range m.from {
		for _, f := range from.Fields {
			if m.writtenKey(f.Key.Text) == nil && !taken[f.Key.Text] {
				taken[f.Key.Text] = true
				brought = append(brought, f)
			}
		}
	}
	at := slices.Index(m.fields, m.merge)
	m.fields = slices.Replace(m.fields, at, at+1, brought...)
}

// convertKey converts a key. Keys are always text: on, yes, null and 1.0 stay as written.
func (c *converter) convertKey(y *yaml.Node, indent int) *Node {
	start := c.places.offsetOf(y.Line, y.Column)
	if y.Kind == yaml.MappingNode || y.Kind == yaml.SequenceNode {
		c.reportComplexKey(y, start)
		return &Node{}
	}
	key, _ := c.convertNode(y, indent)
	switch {
	case c.syntax != nil:
	case key.Kind == Map || key.Kind == Seq:
		c.fail(start, start+1, "a key must be text, found %s", key.Kind)
	case key.Kind == Null && key.Span.Start == key.Span.End:
		if i := skipSpace(c.text, start); i < len(c.text) && (c.text[i] == ':' || c.text[i] == '?') {
			start = i
		}
		c.fail(start, min(start+1, len(c.text)), "a key is missing before the colon")
	default:
		if !key.Quoted && y.Kind == yaml.ScalarNode {
			key.Text = c.mask.unhide(y.Value)
		}
		key.Kind = String
	}

	return key
}

func (c *converter) reportComplexKey(y *yaml.Node, start int) {
	if start > 0 && c.text[start-1] == '{' && isPlaceholder(c.text, start-1) { // YAML reads it as a mapping in a mapping
		end := start + bytes.Index(c.text[start:], []byte("}}")) + len("}}")
		quoted := quote(string(c.text[start-1 : end]))
		d := c.fail(start-1, end, "a text that begins with {{ must be quoted").WithHint("write %s", quoted)
		d.WithFix("put quotes around it", d.Span, quoted)
		return
	}
	kind, hint := Map, "a text that begins with { must be quoted"
	if y.Kind == yaml.SequenceNode {
		kind, hint = Seq, "a text that begins with [ must be quoted"
	}
	d := c.fail(start, start+1, "a key must be text, found %s", kind)
	if y.Style&yaml.FlowStyle != 0 {
		d.WithHint("%s", hint)
	}
}

// placeEmpty moves the span of a missing value (`{a, b}`) directly after its key.
func (c *converter) placeEmpty(key, value *Node) {
	i := value.Span.Start - c.base
	isThere := value.Kind != Null || value.Span.Start != value.Span.End
	if isThere || i > 0 && c.text[i-1] == ':' {
		return
	}
	if i > 0 && value.Span.Start >= key.Span.End && !isSeparator(c.text[i-1]) {
		return // after a tag or an anchor
	}
	value.Span.Start, value.Span.End = key.Span.End, key.Span.End
}

// reportSecondDocument reports that the file continues after its first document.
func (c *converter) reportSecondDocument(root *Node) *diag.Diagnostic {
	i := min(max(root.Span.End-c.base, 0), len(c.text))
	if root.Kind == Null && i == 0 {
		i = skipSpace(c.text, 0) + 3
	}
	for i = skipSpace(c.text, i); i < len(c.text); i = skipSpace(c.text, nextLine(c.text, i)) {
		if string(c.text[i:min(i+3, len(c.text))]) == "---" {
			break
		}
	}
	i = min(i, len(c.text))

	return c.fail(i, min(i+3, len(c.text)), "a second document begins here; a file holds one")
}

func isSeparator(c byte) bool { return isBlank(c) || isBreak(c) || c == ',' }
