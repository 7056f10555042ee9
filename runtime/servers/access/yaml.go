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
	// isFlow reports whether it is written with brackets.
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

func (n *node) newProblem(text string) *problem { return &problem{n.line, text} }

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
	wrong = r.skipBlock()
	if wrong != nil {
		return nil, wrong
	}
	if strings.HasPrefix(r.rest(), "---") && r.column() == 0 {
		r.at += len("---")
		wrong = r.endLine()
		if wrong == nil {
			wrong = r.skipBlock()
		}
		if wrong != nil {
			return nil, wrong
		}
	}
	if r.peekByte() == '{' || r.peekByte() == '[' {
		root, wrong = r.readFlow()
		if wrong == nil {
			wrong = r.endLine()
		}
	} else {
		root, wrong = r.readBlock()
	}
	if wrong == nil {
		wrong = r.skipBlock()
	}
	if wrong == nil && r.at < len(r.text) {
		wrong = r.unexpectedProblem()
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

// peekByte returns the byte at the position; 0 at the end.
func (r *yamlReader) peekByte() byte {
	if r.at == len(r.text) {
		return 0
	}

	return r.text[r.at]
}

// isBlankAt reports whether the byte n bytes on is white space, or the end.
func (r *yamlReader) isBlankAt(n int) bool {
	return r.at+n >= len(r.text) || strings.IndexByte(" \t\n", r.text[r.at+n]) >= 0
}

func (r *yamlReader) newProblem(text string) *problem { return &problem{r.line, text} }

// unexpectedProblem is the problem of something that is not read here. It is not shown, as it can be a token.
func (r *yamlReader) unexpectedProblem() *problem {
	if r.at == len(r.text) {
		return r.newProblem("the file ends where a value or a closing bracket is missing")
	}
	const text = "what begins at column %d is not expected there: a list is [a, b], a mapping name: value, and a text with spaces or signs is in quotes"

	return r.newProblem(fmt.Sprintf(text, r.column()+1))
}

// skipSpace goes to the next byte that is not white space or in a comment. In blocks tabs are refused.
func (r *yamlReader) skipSpace(inFlow bool) *problem {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '\n':
			r.at++
			r.line++
			r.lineStart = r.at
		case c == ' ', c == '\t' && inFlow:
			r.at++
		case c == '\t':
			return r.newProblem("a tab is not allowed: indent with spaces")
		case c == '#' && r.followsBlank():
			r.skipComment()
		default:
			return nil
		}
	}

	return nil
}

func (r *yamlReader) skipBlock() *problem { return r.skipSpace(false) }

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
	for r.peekByte() == ' ' {
		r.at++
	}
}

// endLine goes to the end of the line, which has at most a comment.
func (r *yamlReader) endLine() *problem {
	r.skipSpaces()
	if r.peekByte() == '#' && r.followsBlank() {
		r.skipComment()
	}
	if r.at < len(r.text) && r.peekByte() != '\n' {
		return r.unexpectedProblem()
	}

	return nil
}

// enterLevel goes a level deeper, until leave.
func (r *yamlReader) enterLevel() *problem {
	r.depth++
	if r.depth > deepest {
		return r.newProblem("values nest too deep")
	}

	return nil
}

func (r *yamlReader) leaveLevel() { r.depth-- }

// readBlock reads a mapping or a list that begins at the position, the first of its line.
func (r *yamlReader) readBlock() (n *node, wrong *problem) {
	if wrong := r.enterLevel(); wrong != nil {
		return nil, wrong
	}
	defer r.leaveLevel()
	if r.peekByte() == '-' && r.isBlankAt(1) {
		return r.blockList()
	}
	begin := *r
	n, wrong = r.readScalar(false)
	if wrong != nil {
		return nil, wrong
	}
	if r.peekByte() != ':' {
		return nil, begin.unexpectedProblem()
	}
	*r = begin

	return r.blockMapping()
}

// blockList reads items that begin in this column.
func (r *yamlReader) blockList() (n *node, wrong *problem) {
	n = &node{kind: listNode, line: r.line, indent: r.column()}
	for r.at < len(r.text) && r.column() == n.indent && r.peekByte() == '-' && r.isBlankAt(1) {
		line := r.line
		r.last = line
		r.at++
		r.skipSpaces()
		item, wrong := r.readItem(n.indent)
		if wrong != nil {
			return nil, wrong
		}
		item.line, item.last = line, r.last
		n.list = append(n.list, item)
		wrong = r.skipBlock()
		if wrong != nil {
			return nil, wrong
		}
	}
	n.last = r.last

	return n, r.checkIndent(n.indent)
}

// readItem reads what follows the dash of an item of a list with an indentation.
func (r *yamlReader) readItem(indent int) (*node, *problem) {
	switch {
	case r.peekByte() == '#' && r.followsBlank(), r.peekByte() == '\n':
		return r.readNested(indent, false)
	case r.peekByte() == '[', r.peekByte() == '{':
		return r.readInline()
	}
	begin := *r
	n, wrong := r.readScalar(false)
	switch {
	case wrong != nil:
		return nil, wrong
	case r.peekByte() == ':':
		*r = begin
		return r.readBlock()
	}

	return n, r.endLine()
}

// blockMapping reads keys that begin in this column.
func (r *yamlReader) blockMapping() (n *node, wrong *problem) {
	n = &node{kind: mappingNode, line: r.line, indent: r.column()}
	for r.at < len(r.text) && r.column() == n.indent {
		key, wrong := r.readScalar(false)
		if wrong == nil {
			wrong = r.readColon()
		}
		if wrong == nil {
			wrong = n.checkNew(key)
		}
		if wrong != nil {
			return nil, wrong
		}
		r.last = r.line
		value, wrong := r.readValue(n.indent)
		if wrong != nil {
			return nil, wrong
		}
		n.fields = append(n.fields, field{key.text, key.line, value})
		wrong = r.skipBlock()
		if wrong != nil {
			return nil, wrong
		}
	}
	n.last = r.last

	return n, r.checkIndent(n.indent)
}

// readColon reads the colon behind a key.
func (r *yamlReader) readColon() *problem {
	if r.peekByte() != ':' || !r.isBlankAt(1) {
		return r.unexpectedProblem()
	}
	r.at++
	r.skipSpaces()

	return nil
}

// checkNew returns a problem for a key that the mapping has already.
func (n *node) checkNew(key *node) *problem {
	if slices.ContainsFunc(n.fields, func(f field) bool { return f.key == key.text }) {
		return key.newProblem(fmt.Sprintf("%s is there twice", key.text))
	}

	return nil
}

// checkIndent returns a problem for a line that belongs to no value: it is indented further than the one that ended before it.
func (r *yamlReader) checkIndent(indent int) *problem {
	if r.at < len(r.text) && r.column() > indent {
		return r.newProblem("the indentation fits no value before it")
	}

	return nil
}

// readValue reads what follows a key of a mapping with an indentation.
func (r *yamlReader) readValue(indent int) (*node, *problem) {
	switch {
	case r.at == len(r.text), r.peekByte() == '\n', r.peekByte() == '#' && r.followsBlank():
		return r.readNested(indent, true)
	case r.peekByte() == '[', r.peekByte() == '{':
		return r.readInline()
	}
	n, wrong := r.readScalar(false)
	if wrong == nil {
		wrong = r.endLine()
	}

	return n, wrong
}

// readInline reads a value in brackets, and the rest of its last line.
func (r *yamlReader) readInline() (*node, *problem) {
	n, wrong := r.readFlow()
	if wrong == nil {
		wrong = r.endLine()
	}

	return n, wrong
}

// readNested reads the value in the lines below, which are indented further; the items of a list may have the indentation of their key.
func (r *yamlReader) readNested(indent int, ofKey bool) (*node, *problem) {
	empty := &node{line: r.line, last: r.line}
	if wrong := r.skipBlock(); wrong != nil {
		return nil, wrong
	}
	isItem := ofKey && r.column() == indent && r.peekByte() == '-' && r.isBlankAt(1)
	if r.at == len(r.text) || r.column() <= indent && !isItem {
		return empty, nil
	}

	return r.readBlock()
}

// readFlow reads a value in brackets, or a text between them.
func (r *yamlReader) readFlow() (n *node, wrong *problem) {
	if wrong := r.enterLevel(); wrong != nil {
		return nil, wrong
	}
	defer r.leaveLevel()
	n = &node{line: r.line, indent: r.column(), isFlow: true}
	end := byte(']')
	switch r.peekByte() {
	case '[':
		n.kind = listNode
	case '{':
		n.kind, end = mappingNode, '}'
	default:
		return r.readScalar(true)
	}
	r.at++
	for {
		wrong = r.skipSpace(true)
		if wrong != nil {
			return nil, wrong
		}
		if r.peekByte() == end {
			r.at++
			r.last, n.last = r.line, r.line
			return n, nil
		}
		wrong = r.flowItem(n)
		if wrong == nil {
			wrong = r.skipSpace(true)
		}
		switch {
		case wrong != nil:
			return nil, wrong
		case r.peekByte() == ',':
			r.at++
		case r.peekByte() != end:
			return nil, r.unexpectedProblem()
		}
	}
}

// flowItem reads an item of a list, or a key with its value, in brackets.
func (r *yamlReader) flowItem(n *node) *problem {
	if n.kind == listNode {
		item, wrong := r.readFlow()
		n.list = append(n.list, item)
		return wrong
	}
	isQuoted := r.peekByte() == '"'
	key, wrong := r.readScalar(true)
	if wrong == nil && (r.peekByte() != ':' || !isQuoted && !r.isBlankAt(1)) {
		wrong = r.unexpectedProblem()
	}
	if wrong == nil {
		wrong = n.checkNew(key)
	}
	if wrong != nil {
		return wrong
	}
	r.at++
	wrong = r.skipSpace(true)
	if wrong != nil {
		return wrong
	}
	value, wrong := r.readFlow()
	n.fields = append(n.fields, field{key.text, key.line, value})

	return wrong
}

// readScalar reads a text, and goes behind the spaces that follow it.
func (r *yamlReader) readScalar(inFlow bool) (n *node, wrong *problem) {
	n = &node{kind: textNode, line: r.line, last: r.line, indent: r.column(), isFlow: inFlow}
	switch r.peekByte() {
	case '"':
		n.text, wrong = r.doubleQuoted()
	case '\'':
		n.text, wrong = r.singleQuoted()
	default:
		n.text, wrong = r.readPlain(inFlow)
	}
	r.last = r.line
	if wrong == nil && !r.endsScalar(inFlow) {
		wrong = r.unexpectedProblem()
	}
	r.skipSpaces()

	return n, wrong
}

// endsScalar reports whether a text can end at the position.
func (r *yamlReader) endsScalar(inFlow bool) bool {
	return r.isBlankAt(0) || r.peekByte() == ':' || inFlow && strings.IndexByte(",]}", r.peekByte()) >= 0
}

// readPlain reads a text without quotes. Of the texts that YAML takes without them it takes those of letters, digits and a few signs.
func (r *yamlReader) readPlain(inFlow bool) (string, *problem) {
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
		return "", r.unexpectedProblem()
	case slices.Contains([]string{"null", "Null", "NULL"}, text):
		return "", r.newProblem(text + " means no value: write it in quotes if it is a text")
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
				return "", r.newProblem("a text in quotes has an escape other than \\\", \\\\, \\/ and \\u with four digits")
			}
			r.at += len(quoted)

			return text, nil
		}
	}

	return "", r.newProblem("a quote is not closed in its line")
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

	return "", r.newProblem("a quote is not closed in its line")
}
