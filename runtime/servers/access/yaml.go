package access

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The reader below takes the part of YAML 1.2 that tokens files need, JSON included: block and flow mappings and lists,
// texts without spaces or in quotes, comments. It refuses the rest of YAML with the line at which it begins, so that
// what it takes means the same to every reader of YAML. The runtime imports the standard library alone.

type nodeKind int

const (
	// emptyNode is where a value could be, and none is.
	emptyNode nodeKind = iota
	textNode
	listNode
	mappingNode
)

// node is a value of a YAML file.
type node struct {
	kind nodeKind
	// line is where it begins, last where it ends, both counted from 1. indent is its column, counted from 0.
	line, last, indent int
	// isFlow says that it is written with brackets.
	isFlow bool
	text   string
	list   []*node
	fields []field
}

// field is a key of a mapping with its value.
type field struct {
	key   string
	line  int
	value *node
}

// problem is a mistake in a line of a file.
type problem struct {
	line int
	text string
}

func (n *node) wrong(text string) *problem { return &problem{n.line, text} }

// deepest is how deep values nest at most: a tokens file is a mapping of a list of mappings of lists.
const deepest = 8

// yamlReader reads a text from a position on.
type yamlReader struct {
	text string
	// at is the position, line its line, lineStart where that begins. last is the line in which the last value ended.
	at, line, lineStart, last int
	depth                     int
}

// readYAML reads a document.
func readYAML(text string) (root *node, wrong *problem) {
	r := &yamlReader{text: text, line: 1}
	for i, c := range text {
		if c != '\n' && c != '\t' && !isPrintable(c) {
			return nil, &problem{1 + strings.Count(text[:i], "\n"), fmt.Sprintf("the character %U is not allowed", c)}
		}
	}
	if wrong = r.skipBlock(); wrong != nil {
		return nil, wrong
	}
	if strings.HasPrefix(r.rest(), "---") && r.column() == 0 {
		r.at += len("---")
		if wrong = r.endLine(); wrong == nil {
			wrong = r.skipBlock()
		}
		if wrong != nil {
			return nil, wrong
		}
	}
	if r.next() == '{' || r.next() == '[' {
		if root, wrong = r.flow(); wrong == nil {
			wrong = r.endLine()
		}
	} else {
		root, wrong = r.block()
	}
	if wrong == nil {
		wrong = r.skipBlock()
	}
	if wrong == nil && r.at < len(r.text) {
		wrong = r.unexpected()
	}

	return root, wrong
}

// isPrintable reports whether a character may be in a file, and is no line break to any reader of YAML.
func isPrintable(c rune) bool {
	switch {
	case c == unicode.ReplacementChar, c >= 0x20 && c <= 0x7e, c >= 0x10000:
		return true
	case c == '\u2028', c == '\u2029', c == '\ufeff', c < 0xa0:
		return false
	}

	return c < 0xfffe
}

func (r *yamlReader) rest() string { return r.text[r.at:] }

func (r *yamlReader) column() int { return r.at - r.lineStart }

// next returns the byte at the position; 0 at the end.
func (r *yamlReader) next() byte {
	if r.at == len(r.text) {
		return 0
	}

	return r.text[r.at]
}

// isBlankAt reports whether the byte n bytes on is white space, or the end.
func (r *yamlReader) isBlankAt(n int) bool {
	return r.at+n >= len(r.text) || strings.IndexByte(" \t\n", r.text[r.at+n]) >= 0
}

func (r *yamlReader) wrong(text string) *problem { return &problem{r.line, text} }

// unexpected is the problem of something that is not read here. It is not shown, as it can be a token.
func (r *yamlReader) unexpected() *problem {
	if r.at == len(r.text) {
		return r.wrong("the file ends where a value or a closing bracket is missing")
	}
	const text = "what begins at column %d is not expected there: a list is [a, b], a mapping name: value, and a text with spaces or signs is in quotes"

	return r.wrong(fmt.Sprintf(text, r.column()+1))
}

// skip goes to the next byte that is not white space or in a comment. In blocks tabs are refused.
func (r *yamlReader) skip(inFlow bool) *problem {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '\n':
			r.at++
			r.line++
			r.lineStart = r.at
		case c == ' ', c == '\t' && inFlow:
			r.at++
		case c == '\t':
			return r.wrong("a tab is not allowed: indent with spaces")
		case c == '#' && r.followsBlank():
			r.skipComment()
		default:
			return nil
		}
	}

	return nil
}

func (r *yamlReader) skipBlock() *problem { return r.skip(false) }

// followsBlank reports whether white space is before the position.
func (r *yamlReader) followsBlank() bool {
	return r.at == 0 || strings.IndexByte(" \t\n", r.text[r.at-1]) >= 0
}

func (r *yamlReader) skipComment() {
	if end := strings.IndexByte(r.rest(), '\n'); end >= 0 {
		r.at += end
	} else {
		r.at = len(r.text)
	}
}

// skipSpaces goes to the next byte of the line that is not a space.
func (r *yamlReader) skipSpaces() {
	for r.next() == ' ' {
		r.at++
	}
}

// endLine goes to the end of the line, which has at most a comment.
func (r *yamlReader) endLine() *problem {
	r.skipSpaces()
	if r.next() == '#' && r.followsBlank() {
		r.skipComment()
	}
	if r.at < len(r.text) && r.next() != '\n' {
		return r.unexpected()
	}

	return nil
}

// enter goes a level deeper, until leave.
func (r *yamlReader) enter() *problem {
	if r.depth++; r.depth > deepest {
		return r.wrong("values nest too deep")
	}

	return nil
}

func (r *yamlReader) leave() { r.depth-- }

// block reads a mapping or a list that begins at the position, the first of its line.
func (r *yamlReader) block() (n *node, wrong *problem) {
	if wrong := r.enter(); wrong != nil {
		return nil, wrong
	}
	defer r.leave()
	if r.next() == '-' && r.isBlankAt(1) {
		return r.blockList()
	}
	begin := *r
	n, wrong = r.scalar(false)
	if wrong != nil {
		return nil, wrong
	}
	if r.next() != ':' {
		return nil, begin.unexpected()
	}
	*r = begin

	return r.blockMapping()
}

// blockList reads items that begin in this column.
func (r *yamlReader) blockList() (n *node, wrong *problem) {
	n = &node{kind: listNode, line: r.line, indent: r.column()}
	for r.at < len(r.text) && r.column() == n.indent && r.next() == '-' && r.isBlankAt(1) {
		line := r.line
		r.last = line
		r.at++
		r.skipSpaces()
		item, wrong := r.item(n.indent)
		if wrong != nil {
			return nil, wrong
		}
		item.line, item.last = line, r.last
		n.list = append(n.list, item)
		if wrong = r.skipBlock(); wrong != nil {
			return nil, wrong
		}
	}
	n.last = r.last

	return n, r.checkIndent(n.indent)
}

// item reads what follows the dash of an item of a list with an indentation.
func (r *yamlReader) item(indent int) (*node, *problem) {
	switch {
	case r.next() == '#' && r.followsBlank(), r.next() == '\n':
		return r.nested(indent, false)
	case r.next() == '[', r.next() == '{':
		return r.inline()
	}
	begin := *r
	n, wrong := r.scalar(false)
	switch {
	case wrong != nil:
		return nil, wrong
	case r.next() == ':':
		*r = begin
		return r.block()
	}

	return n, r.endLine()
}

// blockMapping reads keys that begin in this column.
func (r *yamlReader) blockMapping() (n *node, wrong *problem) {
	n = &node{kind: mappingNode, line: r.line, indent: r.column()}
	for r.at < len(r.text) && r.column() == n.indent {
		key, wrong := r.scalar(false)
		if wrong == nil {
			wrong = r.colon()
		}
		if wrong == nil {
			wrong = n.checkNew(key)
		}
		if wrong != nil {
			return nil, wrong
		}
		r.last = r.line
		value, wrong := r.value(n.indent)
		if wrong != nil {
			return nil, wrong
		}
		n.fields = append(n.fields, field{key.text, key.line, value})
		if wrong = r.skipBlock(); wrong != nil {
			return nil, wrong
		}
	}
	n.last = r.last

	return n, r.checkIndent(n.indent)
}

// colon reads the colon behind a key.
func (r *yamlReader) colon() *problem {
	if r.next() != ':' || !r.isBlankAt(1) {
		return r.unexpected()
	}
	r.at++
	r.skipSpaces()

	return nil
}

// checkNew returns a problem for a key that the mapping has already.
func (n *node) checkNew(key *node) *problem {
	if slices.ContainsFunc(n.fields, func(f field) bool { return f.key == key.text }) {
		return key.wrong(fmt.Sprintf("%s is there twice", key.text))
	}

	return nil
}

// checkIndent returns a problem for a line that belongs to no value: it is indented further than the one that ended before it.
func (r *yamlReader) checkIndent(indent int) *problem {
	if r.at < len(r.text) && r.column() > indent {
		return r.wrong("the indentation fits no value before it")
	}

	return nil
}

// value reads what follows a key of a mapping with an indentation.
func (r *yamlReader) value(indent int) (*node, *problem) {
	switch {
	case r.at == len(r.text), r.next() == '\n', r.next() == '#' && r.followsBlank():
		return r.nested(indent, true)
	case r.next() == '[', r.next() == '{':
		return r.inline()
	}
	n, wrong := r.scalar(false)
	if wrong == nil {
		wrong = r.endLine()
	}

	return n, wrong
}

// inline reads a value in brackets, and the rest of its last line.
func (r *yamlReader) inline() (*node, *problem) {
	n, wrong := r.flow()
	if wrong == nil {
		wrong = r.endLine()
	}

	return n, wrong
}

// nested reads the value in the lines below, which are indented further; the items of a list may have the indentation of their key.
func (r *yamlReader) nested(indent int, ofKey bool) (*node, *problem) {
	empty := &node{line: r.line, last: r.line}
	if wrong := r.skipBlock(); wrong != nil {
		return nil, wrong
	}
	isItem := ofKey && r.column() == indent && r.next() == '-' && r.isBlankAt(1)
	if r.at == len(r.text) || r.column() <= indent && !isItem {
		return empty, nil
	}

	return r.block()
}

// flow reads a value in brackets, or a text between them.
func (r *yamlReader) flow() (n *node, wrong *problem) {
	if wrong := r.enter(); wrong != nil {
		return nil, wrong
	}
	defer r.leave()
	n = &node{line: r.line, indent: r.column(), isFlow: true}
	end := byte(']')
	switch r.next() {
	case '[':
		n.kind = listNode
	case '{':
		n.kind, end = mappingNode, '}'
	default:
		return r.scalar(true)
	}
	r.at++
	for {
		if wrong = r.skip(true); wrong != nil {
			return nil, wrong
		}
		if r.next() == end {
			r.at++
			r.last, n.last = r.line, r.line
			return n, nil
		}
		if wrong = r.flowItem(n); wrong == nil {
			wrong = r.skip(true)
		}
		switch {
		case wrong != nil:
			return nil, wrong
		case r.next() == ',':
			r.at++
		case r.next() != end:
			return nil, r.unexpected()
		}
	}
}

// flowItem reads an item of a list, or a key with its value, in brackets.
func (r *yamlReader) flowItem(n *node) *problem {
	if n.kind == listNode {
		item, wrong := r.flow()
		n.list = append(n.list, item)
		return wrong
	}
	isQuoted := r.next() == '"'
	key, wrong := r.scalar(true)
	if wrong == nil && (r.next() != ':' || !isQuoted && !r.isBlankAt(1)) {
		wrong = r.unexpected()
	}
	if wrong == nil {
		wrong = n.checkNew(key)
	}
	if wrong != nil {
		return wrong
	}
	r.at++
	if wrong = r.skip(true); wrong != nil {
		return wrong
	}
	value, wrong := r.flow()
	n.fields = append(n.fields, field{key.text, key.line, value})

	return wrong
}

// scalar reads a text, and goes behind the spaces that follow it.
func (r *yamlReader) scalar(inFlow bool) (n *node, wrong *problem) {
	n = &node{kind: textNode, line: r.line, last: r.line, indent: r.column(), isFlow: inFlow}
	switch r.next() {
	case '"':
		n.text, wrong = r.doubleQuoted()
	case '\'':
		n.text, wrong = r.singleQuoted()
	default:
		n.text, wrong = r.plain(inFlow)
	}
	r.last = r.line
	if wrong == nil && !r.endsScalar(inFlow) {
		wrong = r.unexpected()
	}
	r.skipSpaces()

	return n, wrong
}

// endsScalar reports whether a text can end at the position.
func (r *yamlReader) endsScalar(inFlow bool) bool {
	return r.isBlankAt(0) || r.next() == ':' || inFlow && strings.IndexByte(",]}", r.next()) >= 0
}

// plain reads a text without quotes. Of the texts that YAML takes without them it takes those of letters, digits and a few signs.
func (r *yamlReader) plain(inFlow bool) (string, *problem) {
	begin := r.at
	for _, c := range r.rest() {
		if !isWordCharacter(c) && (r.at == begin || !r.isSign(c, inFlow)) {
			break
		}
		r.at += len(string(c))
	}
	text := r.text[begin:r.at]
	switch {
	case text == "":
		return "", r.unexpected()
	case slices.Contains([]string{"null", "Null", "NULL"}, text):
		return "", r.wrong(text + " means no value: write it in quotes if it is a text")
	}

	return text, nil
}

func isWordCharacter(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' }

// isSign reports whether the character at the position can be in a text without quotes, but not at its beginning. A colon that ends
// a key cannot.
func (r *yamlReader) isSign(c rune, inFlow bool) bool {
	if c != ':' {
		return strings.ContainsRune("./@+=-", c)
	}

	return !r.isBlankAt(1) && (!inFlow || strings.IndexByte(",[]{}", r.text[r.at+1]) < 0)
}

// doubleQuoted reads a text in double quotes, with the escapes of JSON.
func (r *yamlReader) doubleQuoted() (string, *problem) {
	rest := r.rest()
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			quoted := rest[:i+1]
			text, ok := unescape(quoted[1:i])
			if !ok {
				return "", r.wrong("a text in quotes has an escape other than \\\", \\\\, \\/ and \\u with four digits")
			}
			r.at += len(quoted)

			return text, nil
		}
	}

	return "", r.wrong("a quote is not closed in its line")
}

// unescape replaces the escapes of a text in double quotes.
func unescape(quoted string) (text string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' {
			b.WriteByte(quoted[i])
			continue
		}
		i++ // the byte is there, or the quote would not have ended
		switch c := quoted[i]; {
		case c == '"', c == '\\', c == '/':
			b.WriteByte(c)
		case c == 'u' && i+4 < len(quoted):
			code, err := strconv.ParseUint(quoted[i+1:i+5], 16, 16)
			if err != nil || code >= 0xd800 && code < 0xe000 {
				return "", false
			}
			b.WriteRune(rune(code))
			i += 4
		default:
			return "", false
		}
	}

	return b.String(), true
}

// singleQuoted reads a text in single quotes, in which two mean one.
func (r *yamlReader) singleQuoted() (string, *problem) {
	rest := r.rest()
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		if rest[i] != '\'' {
			continue
		}
		if i+1 < len(rest) && rest[i+1] == '\'' {
			i++
			continue
		}
		r.at += i + 1

		return strings.ReplaceAll(rest[1:i], "''", "'"), nil
	}

	return "", r.wrong("a quote is not closed in its line")
}
