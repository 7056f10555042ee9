package yamldoc

import (
	"bytes"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/agentc-dev/agentc/gen/diag"
)

// mapping converts a mapping. Merge keys (<<) are replaced by the fields that they bring, in their place; fields that are
// written out win wherever they are, and of several merged mappings the first that has a field.
func (c *converter) mapping(y *yaml.Node, start, indent int) (*Node, int) {
	m := mappingReader{c: c, fields: make([]*Field, 0, len(y.Content)/2), size: 1}
	if cap(m.fields) > fewFields {
		m.keys = make(map[string]*Node, cap(m.fields))
	}
	flow := y.Style&yaml.FlowStyle != 0
	braces := flow && start < len(c.text) && c.text[start] == '{'
	if braces && len(y.Content) > 0 && c.places.at(y.Content[0].Line, y.Content[0].Column) == start {
		braces = false // `key: value` in a flow list, without braces of its own
	}
	if !flow { // what is before the first key may be its own anchor or tag
		start = c.places.at(y.Content[0].Line, y.Content[0].Column)
		indent = c.places.columnOf(start)
	}

	end := start
	if braces {
		end = start + 1
	}
	for i := 0; i+1 < len(y.Content) && c.syntax == nil; i += 2 {
		keyStart, entryEnd := m.entry(y.Content[i], y.Content[i+1], indent)
		if end = max(end, entryEnd); i == 0 && !braces {
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
	// fields are in source order, the merge key << among them until mergeFields puts in its place what it brings.
	fields []*Field
	merge  *Field
	from   []*Node // the mappings that << names
	// keys finds the keys that are written out; nil where there are so few that looking at each is quicker.
	keys map[string]*Node
	size int
}

// fewFields is how many fields a mapping has at most whose keys need no map. Nearly all mappings are a row with one.
const fewFields = 8

// written returns the key called name that is written out, nil if there is none.
func (m *mappingReader) written(name string) *Node {
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

// entry reads one key with its value and returns where the key starts and the value ends.
func (m *mappingReader) entry(ky, vy *yaml.Node, indent int) (start, end int) {
	c := m.c
	key := c.key(ky, indent)
	if c.syntax != nil {
		return 0, 0
	}
	value, size := c.node(vy, indent)
	if c.syntax != nil {
		return 0, 0
	}
	m.size += size + 1
	c.placeEmpty(key, value)
	start, end = key.Span.Start-c.base, max(key.Span.End, value.Span.End)-c.base

	isMerge := ky.Tag == "!!merge" && !key.Quoted
	if first := m.first(key, isMerge); first != nil {
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

// fillEmpty gives a key that has no value the value of its repetition: a line that is there twice has no other
// consequence.
func (m *mappingReader) fillEmpty(first, value *Node) {
	for _, f := range m.fields {
		if f.Key == first && f.Value.Kind == Null {
			f.Value = value
		}
	}
}

// first returns the key that is before this one and is the same.
func (m *mappingReader) first(key *Node, isMerge bool) *Node {
	switch {
	case !isMerge:
		return m.written(key.Text)
	case m.merge != nil:
		return m.merge.Key
	}

	return nil
}

// mergeSources returns the mappings that the value of << names.
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

// mergeFields puts in the place of << what it brings.
func (m *mappingReader) mergeFields() {
	if m.merge == nil {
		return
	}
	var brought []*Field
	taken := map[string]bool{}
	for _, from := range m.from {
		for _, f := range from.Fields {
			if m.written(f.Key.Text) == nil && !taken[f.Key.Text] {
				taken[f.Key.Text] = true
				brought = append(brought, f)
			}
		}
	}
	at := slices.Index(m.fields, m.merge)
	m.fields = slices.Replace(m.fields, at, at+1, brought...)
}

// key converts a key. Keys are text, whatever they look like: on, yes, null and 1.0 stay as they are written.
func (c *converter) key(y *yaml.Node, indent int) *Node {
	start := c.places.at(y.Line, y.Column)
	if y.Kind == yaml.MappingNode || y.Kind == yaml.SequenceNode {
		c.complexKey(y, start)
		return &Node{}
	}
	key, _ := c.node(y, indent)
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

func (c *converter) complexKey(y *yaml.Node, start int) {
	if start > 0 && c.text[start-1] == '{' && isPlaceholder(c.text, start-1) { // to YAML it is a mapping in a mapping
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

// placeEmpty moves the place of a value that is not there (`{a, b}`) right behind its key.
func (c *converter) placeEmpty(key, value *Node) {
	i := value.Span.Start - c.base
	if value.Kind != Null || value.Span.Start != value.Span.End || i > 0 && c.text[i-1] == ':' {
		return
	}
	if i > 0 && value.Span.Start >= key.Span.End && !isBlank(c.text[i-1]) && !isBreak(c.text[i-1]) && c.text[i-1] != ',' {
		return // behind a tag or an anchor
	}
	value.Span.Start, value.Span.End = key.Span.End, key.Span.End
}

// secondDocument reports that the file goes on behind its first document.
func (c *converter) secondDocument(root *Node) *diag.Diagnostic {
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
