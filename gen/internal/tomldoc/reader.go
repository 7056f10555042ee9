package tomldoc

import (
	"bytes"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// reader parses a valid TOML text.
type reader struct {
	file *source.File
	text []byte
	i    int

	tables     map[*yamldoc.Node]*yamldoc.Node // the key in the header of each table
	arrays     map[*yamldoc.Node]bool          // lists that were made by headers [[...]]
	duplicates []*diag.Diagnostic
}

func (r *reader) span(start, end int) source.Span {
	return source.Span{File: r.file, Start: start, End: end}
}

// readDocument parses the text.
func (r *reader) readDocument() *yamldoc.Node {
	root := &yamldoc.Node{Kind: yamldoc.Map, Span: r.span(r.i, len(r.text))}
	r.tables, r.arrays = map[*yamldoc.Node]*yamldoc.Node{}, map[*yamldoc.Node]bool{}
	current := root
	for {
		r.skip(true)
		switch {
		case r.i >= len(r.text):
			return root
		case r.text[r.i] == '[':
			current = r.readHeader(root)
		default:
			r.readPair(current)
		}
	}
}

// readHeader parses `[a.b]` or `[[a.b]]` and returns its table.
func (r *reader) readHeader(root *yamldoc.Node) *yamldoc.Node {
	start, array := r.i, bytes.HasPrefix(r.text[r.i:], []byte("[["))
	r.i++
	if array {
		r.i++
	}
	keys := r.readDottedKey()
	r.i += bytes.IndexByte(r.text[r.i:], ']') + 1
	if array {
		r.i++
	}

	parent := r.descend(root, keys[:len(keys)-1])
	last := keys[len(keys)-1]
	if array {
		return r.openArrayTable(parent, last, r.span(start, r.i))
	}
	if there := parent.Field(last.Text); there != nil && there.Value.Kind == yamldoc.Seq {
		r.reportDuplicate(last, there.Key, "table")
		return &yamldoc.Node{Kind: yamldoc.Map, Span: r.span(start, r.i)}
	}
	table := r.descend(parent, []*yamldoc.Node{last})
	if first := r.tables[table]; first != nil {
		r.reportDuplicate(last, first, "table")
		return &yamldoc.Node{Kind: yamldoc.Map, Span: r.span(start, r.i)}
	}
	r.tables[table] = last

	return table
}

// openArrayTable adds the next element of an array of tables.
func (r *reader) openArrayTable(parent, key *yamldoc.Node, span source.Span) *yamldoc.Node {
	table := &yamldoc.Node{Kind: yamldoc.Map, Span: span}
	field := parent.Field(key.Text)
	switch {
	case field == nil:
		field = &yamldoc.Field{Key: key, Value: &yamldoc.Node{Kind: yamldoc.Seq, Span: span}}
		parent.Fields = append(parent.Fields, field)
		r.arrays[field.Value] = true
	case !r.arrays[field.Value]:
		r.reportDuplicate(key, field.Key, "key")
		return table
	}
	field.Value.Items = append(field.Value.Items, table)

	return table
}

func (r *reader) reportDuplicate(key, first *yamldoc.Node, what string) {
	r.duplicates = append(r.duplicates, diag.New(diag.DuplicateKey, key.Span, "%s %q is written twice", what, key.Text).
		Note(first.Span, "%s %q is here first", what, first.Text))
}

// descend follows keys from a table and creates missing tables. From an array of tables it
// continues with the last element. It reports a key that is not a table, and returns a separate
// table then.
func (r *reader) descend(n *yamldoc.Node, keys []*yamldoc.Node) *yamldoc.Node {
	for _, key := range keys {
		field := n.Field(key.Text)
		if field == nil {
			field = &yamldoc.Field{Key: key, Value: &yamldoc.Node{Kind: yamldoc.Map, Span: key.Span}}
			n.Fields = append(n.Fields, field)
		}
		n = field.Value
		if n.Kind == yamldoc.Seq && len(n.Items) > 0 {
			n = n.Items[len(n.Items)-1]
		}
		if n.Kind != yamldoc.Map {
			r.reportDuplicate(key, field.Key, "key")
			n = &yamldoc.Node{Kind: yamldoc.Map, Span: key.Span}
		}
	}

	return n
}

// readPair parses `a.b = value` into a table.
func (r *reader) readPair(into *yamldoc.Node) {
	keys := r.readDottedKey()
	r.skip(false)
	r.i++ // =
	r.skip(false)
	value := r.readValue()
	table, last := r.descend(into, keys[:len(keys)-1]), keys[len(keys)-1]
	if first := table.Field(last.Text); first != nil {
		r.reportDuplicate(last, first.Key, "key")
		return
	}
	table.Fields = append(table.Fields, &yamldoc.Field{Key: last, Value: value})
}

// readDottedKey parses `a . "b".c`.
func (r *reader) readDottedKey() []*yamldoc.Node {
	var keys []*yamldoc.Node
	for {
		r.skip(false)
		start := r.i
		key := &yamldoc.Node{Kind: yamldoc.String}
		if c := r.text[r.i]; c == '"' || c == '\'' {
			r.i = stringEnd(r.text, r.i)
			key.Quoted, key.Text = true, decodeString(string(r.text[start:r.i]))
		} else {
			for r.i < len(r.text) && isBareKey(r.text[r.i]) {
				r.i++
			}
			key.Text = string(r.text[start:r.i])
		}
		key.Span = r.span(start, r.i)
		keys = append(keys, key)
		r.skip(false)
		if r.i >= len(r.text) || r.text[r.i] != '.' {
			return keys
		}
		r.i++
	}
}

func isBareKey(c byte) bool {
	isLower := c >= 'a' && c <= 'z'
	isUpper := c >= 'A' && c <= 'Z'
	isDigit := c >= '0' && c <= '9'
	if isLower || isUpper || isDigit {
		return true
	}

	return c == '_' || c == '-' || c >= 0x80
}

// readValue parses the value at r.i.
func (r *reader) readValue() *yamldoc.Node {
	start := r.i
	switch r.text[r.i] {
	case '"', '\'':
		r.i = stringEnd(r.text, r.i)
		text := decodeString(string(r.text[start:r.i]))
		return &yamldoc.Node{Kind: yamldoc.String, Quoted: true, Text: text, Span: r.span(start, r.i)}
	case '[':
		n := &yamldoc.Node{Kind: yamldoc.Seq}
		r.readBrackets(n, ']', func() { n.Items = append(n.Items, r.readValue()) })
		return n
	case '{':
		n := &yamldoc.Node{Kind: yamldoc.Map}
		r.readBrackets(n, '}', func() { r.readPair(n) })
		return n
	}

	for r.i < len(r.text) && !strings.ContainsRune(",]}#\r\n", rune(r.text[r.i])) {
		r.i++
	}
	text := strings.TrimRight(string(r.text[start:r.i]), " \t")

	return &yamldoc.Node{Kind: kindOf(text), Text: text, Span: r.span(start, start+len(text))}
}

// kindOf returns the kind of a value that is not a string, array or table.
func kindOf(text string) yamldoc.Kind {
	if text == "true" || text == "false" {
		return yamldoc.Bool
	}
	digits := strings.TrimLeft(text, "+-")
	switch {
	case digits == "inf" || digits == "nan" || strings.Contains(text, ":") || isDate(text):
		return yamldoc.String
	case strings.HasPrefix(digits, "0x") || !strings.ContainsAny(digits, ".eE"):
		return yamldoc.Int
	}

	return yamldoc.Float
}

func isDate(text string) bool { return len(text) >= 10 && text[4] == '-' && text[7] == '-' }

// readBrackets parses the entries of n up to the closing bracket.
func (r *reader) readBrackets(n *yamldoc.Node, closing byte, entry func()) {
	start := r.i
	r.i++
	for {
		r.skip(true)
		switch r.text[r.i] {
		case closing:
			r.i++
			n.Span = r.span(start, r.i)
			return
		case ',':
			r.i++
		default:
			entry()
		}
	}
}

// skip skips blanks and, if lines is true, comments and line breaks.
func (r *reader) skip(lines bool) {
	for r.i < len(r.text) {
		c := r.text[r.i]
		isBlank := c == ' ' || c == '\t'
		isLineBreak := c == '\n' || c == '\r'
		switch {
		case isBlank, lines && isLineBreak:
			r.i++
		case lines && c == '#':
			r.i = lineEnd(r.text, r.i)
		default:
			return
		}
	}
}

// lineEnd returns the offset of the next line break, or the end of the text.
func lineEnd(text []byte, i int) int {
	if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}

	return len(text)
}

// stringEnd returns the end of the string literal at i.
func stringEnd(text []byte, i int) int {
	quote := text[i]
	long := bytes.Repeat([]byte{quote}, 3)
	if !bytes.HasPrefix(text[i:], long) {
		return closingEnd(text, i+1, []byte{quote}, quote == '"')
	}
	end := closingEnd(text, i+3, long, quote == '"')
	for n := 0; n < 2 && end < len(text) && text[end] == quote; n++ { // the closing quotes may follow up to two quotes of the text
		end++
	}

	return end
}

func closingEnd(text []byte, i int, quote []byte, escapes bool) int {
	for ; i < len(text); i++ {
		switch {
		case escapes && text[i] == '\\':
			i++
		case bytes.HasPrefix(text[i:], quote):
			return i + len(quote)
		}
	}

	return len(text)
}
