package rt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// Limits of a value. The depth keeps recursion small; the size keeps offsets in 32 bits and memory
// in bounds.
const (
	maxValueDepth = 1000
	maxValueBytes = 16 << 20
)

// parseValue parses exactly one JSON value. The error is a *ValueError with one problem.
func parseValue(text string) (*JSON, error) {
	switch {
	case len(text) > maxValueBytes:
		return nil, &runtime.ValueError{Problem: fmt.Sprintf("found %d bytes of JSON, expected at most %d", len(text), maxValueBytes)}
	case !utf8.ValidString(text):
		return nil, &runtime.ValueError{Problem: "is not JSON: it holds bytes that are not UTF-8"}
	}

	p := valueParser{text: text}
	// A value is the first one, or is behind a comma or an opening bracket, so that this is mostly
	// what is needed. Text full of commas is not given the memory of as many values.
	most := 1 + strings.Count(text, ",") + strings.Count(text, "[") + strings.Count(text, "{")
	p.document = newDocument(text, min(most, 1<<12))
	if err := p.parseValue(-1, "", 0); err != nil {
		return nil, err
	}
	p.skipSpace()
	if p.at < len(text) {
		return nil, p.syntaxError("the end")
	}

	return &p.document.values[0], nil
}

// smallRoom is how many values a small document has room for.
const smallRoom = 3

// smallDocument is a document with few values, such as the arguments of a call of finish.
type smallDocument struct {
	valueDocument
	room [smallRoom]JSON
}

// newDocument returns a document without values. It has room for some, which are allocated together
// with it if they are few.
func newDocument(text string, room int) *valueDocument {
	if room > smallRoom {
		return &valueDocument{text: text, values: make([]JSON, 0, room)}
	}
	d := &smallDocument{}
	d.text, d.values = text, d.room[:0]

	return &d.valueDocument
}

type valueParser struct {
	document *valueDocument
	text     string
	at       int
}

// parseValue parses a value and appends it, and what is in it, to the document's.
func (p *valueParser) parseValue(parent int32, name string, depth int) *runtime.ValueError {
	p.skipSpace()
	if p.at == len(p.text) {
		return p.syntaxError("a value")
	}

	index := int32(len(p.document.values))
	v := JSON{document: p.document, name: name, index: index, parent: parent, start: int32(p.at)}
	var err *runtime.ValueError
	switch c := p.text[p.at]; {
	case c == '{':
		v.kind = valueObject
	case c == '[':
		v.kind = valueList
	case c == '"':
		v.kind = valueText
		v.escaped, err = p.parseString()
	case c == '-' || isDigit(c):
		v.kind = valueNumber
		err = p.parseNumber()
	default:
		v.kind, err = p.parseWord()
	}
	v.end, v.after = int32(p.at), index+1
	p.document.values = append(p.document.values, v)
	if err != nil || v.kind != valueList && v.kind != valueObject {
		return err
	}

	return p.parseContainer(index, depth)
}

// parseContainer parses the children of the list or object at index, both brackets included.
func (p *valueParser) parseContainer(index int32, depth int) *runtime.ValueError {
	if depth == maxValueDepth {
		return &runtime.ValueError{Problem: fmt.Sprintf("is nested more than %d deep", maxValueDepth)}
	}
	next, closing := p.parseElement, byte(']')
	isObject := p.document.values[index].kind == valueObject
	if isObject {
		next, closing = p.parseMember, '}'
	}

	count := int32(0)
	p.at++
	for p.skipSpace(); !p.accept(closing); count++ {
		if count > 0 && !p.accept(',') {
			return p.syntaxError(`"," or "` + string(closing) + `"`)
		}
		if err := next(index, count, depth+1); err != nil {
			return err
		}
		p.skipSpace()
	}

	v := &p.document.values[index]
	v.count, v.end, v.after = count, int32(p.at), int32(len(p.document.values))
	if isObject {
		return v.duplicateError()
	}

	return nil
}

func (p *valueParser) parseElement(list, i int32, depth int) *runtime.ValueError {
	if err := p.parseValue(list, "", depth); err != nil {
		return addStep(err, "["+strconv.Itoa(int(i))+"]")
	}

	return nil
}

func (p *valueParser) parseMember(object, _ int32, depth int) *runtime.ValueError {
	p.skipSpace()
	if p.at == len(p.text) || p.text[p.at] != '"' {
		return p.syntaxError("the name of a member in quotes")
	}
	start := p.at + 1
	escaped, err := p.parseString()
	if err != nil {
		return err
	}
	name := p.text[start : p.at-1]
	if escaped {
		name = unescapeJSON(name)
	}
	p.skipSpace()
	if !p.accept(':') {
		return p.syntaxError(`":"`)
	}
	if err := p.parseValue(object, name, depth); err != nil {
		return addStep(err, joinPath("", name))
	}

	return nil
}

// fewMembers is how many members are compared with each other directly, which is faster than a map
// and allocates nothing.
const fewMembers = 16

// duplicateError finds a member that an object has twice.
func (v *JSON) duplicateError() *runtime.ValueError {
	if v.count <= fewMembers {
		for member := range v.children {
			for other := range v.children {
				if other == member {
					break
				}
				if other.name == member.name {
					return duplicateMember(member.name)
				}
			}
		}
		return nil
	}

	seen := make(map[string]bool, v.count)
	for member := range v.children {
		if seen[member.name] {
			return duplicateMember(member.name)
		}
		seen[member.name] = true
	}

	return nil
}

func duplicateMember(name string) *runtime.ValueError {
	return &runtime.ValueError{Path: joinPath("", name), Problem: "is there twice: each member may occur once"}
}

// parseNumber moves over a number as RFC 8259 writes it.
func (p *valueParser) parseNumber() *runtime.ValueError {
	p.accept('-')
	switch {
	case p.accept('0'):
	case !p.skipDigits():
		return p.syntaxError("a digit")
	}
	if p.accept('.') && !p.skipDigits() {
		return p.syntaxError("a digit")
	}
	if p.accept('e') || p.accept('E') {
		if !p.accept('+') {
			p.accept('-')
		}
		if !p.skipDigits() {
			return p.syntaxError("a digit")
		}
	}

	return nil
}

func (p *valueParser) skipDigits() bool {
	start := p.at
	for p.at < len(p.text) && isDigit(p.text[p.at]) {
		p.at++
	}

	return p.at > start
}

func (p *valueParser) parseWord() (valueKind, *runtime.ValueError) {
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "null"):
		p.at += len("null")
		return valueNull, nil
	case strings.HasPrefix(rest, "true"):
		p.at += len("true")
		return valueBool, nil
	case strings.HasPrefix(rest, "false"):
		p.at += len("false")
		return valueBool, nil
	}

	return 0, p.syntaxError("a value")
}

func (p *valueParser) skipSpace() {
	for p.at < len(p.text) && isSpace(p.text[p.at]) {
		p.at++
	}
}

func (p *valueParser) accept(c byte) bool {
	if p.at == len(p.text) || p.text[p.at] != c {
		return false
	}
	p.at++

	return true
}

func (p *valueParser) syntaxError(expected string) *runtime.ValueError {
	found := "the end"
	if p.at < len(p.text) {
		r, _ := utf8.DecodeRuneInString(p.text[p.at:])
		found = wording.Quote(string(r))
	}

	return &runtime.ValueError{Problem: fmt.Sprintf("is not JSON at byte %d: found %s, expected %s", p.at, found, expected)}
}

// maxPath bounds a path in bytes: a longer one is not readable, and its outer steps suffice
// to find the place.
const maxPath = 200

// addStep puts a step before the path of e.
func addStep(e *runtime.ValueError, step string) *runtime.ValueError {
	if e.Path != "" && e.Path[0] != '[' {
		step += "."
	}
	e.Path = step + e.Path
	if len(e.Path) > maxPath {
		e.Path = strings.ToValidUTF8(e.Path[:maxPath], "") + "…"
	}

	return e
}

// isSpace reports whether JSON allows c between values.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
