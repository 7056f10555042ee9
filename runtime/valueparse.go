package runtime

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of a value. The depth keeps recursion small; the size keeps offsets in 32 bits and memory in bounds.
const (
	maxValueDepth = 1000
	maxValueBytes = 64 << 20
)

// parseValue parses exactly one JSON value. The error is a *ValueError with one problem.
func parseValue(text string) (*Value, error) {
	switch {
	case len(text) > maxValueBytes:
		return nil, &ValueError{Problem: fmt.Sprintf("found %d bytes of JSON, expected at most %d", len(text), maxValueBytes)}
	case !utf8.ValidString(text):
		return nil, &ValueError{Problem: "is not JSON: it holds bytes that are not UTF-8"}
	}

	p := valueParser{document: &valueDocument{text: text}, text: text}
	// No more children are open than commas and brackets, and mostly not many; more than this grows.
	p.open = make([]Value, 0, min(strings.Count(text, ",")+1, 128))
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if p.space(); p.at < len(text) {
		return nil, p.syntax("the end")
	}

	return &root, nil
}

type valueParser struct {
	document *valueDocument
	text     string
	at       int
	// open are the children of the lists and objects that are not closed yet, innermost last.
	open []Value
}

func (p *valueParser) value(depth int) (Value, *ValueError) {
	p.space()
	if p.at == len(p.text) {
		return Value{}, p.syntax("a value")
	}

	v := Value{document: p.document, start: int32(p.at)}
	var err *ValueError
	switch c := p.text[p.at]; {
	case c == '{':
		v.kind = valueObject
		v.children, err = p.children(depth, '}', p.member)
		if err == nil {
			err = p.duplicate(v.children)
		}
	case c == '[':
		v.kind = valueList
		v.children, err = p.children(depth, ']', p.element)
	case c == '"':
		v.kind = valueText
		v.escaped, err = p.string()
	case c == '-' || isDigit(c):
		v.kind = valueNumber
		err = p.number()
	default:
		v.kind, err = p.word()
	}
	v.end = int32(p.at)

	return v, err
}

// children parses the inside of a list or an object, both brackets included.
func (p *valueParser) children(depth int, closing byte, next func(depth, i int) *ValueError) ([]Value, *ValueError) {
	if depth == maxValueDepth {
		return nil, &ValueError{Problem: fmt.Sprintf("is nested more than %d deep", maxValueDepth)}
	}
	p.at++
	if p.space(); p.accept(closing) {
		return nil, nil
	}

	first := len(p.open)
	for {
		if err := next(depth, len(p.open)-first); err != nil {
			return nil, err
		}
		p.space()
		if p.accept(closing) {
			break
		}
		if !p.accept(',') {
			return nil, p.syntax(`"," or "` + string(closing) + `"`)
		}
	}
	children := slices.Clone(p.open[first:])
	p.open = p.open[:first]

	return children, nil
}

func (p *valueParser) element(depth, i int) *ValueError {
	v, err := p.value(depth + 1)
	if err != nil {
		return err.below("[" + strconv.Itoa(i) + "]")
	}
	p.open = append(p.open, v)

	return nil
}

func (p *valueParser) member(depth, _ int) *ValueError {
	p.space()
	if p.at == len(p.text) || p.text[p.at] != '"' {
		return p.syntax("the name of a member in quotes")
	}
	start := p.at + 1
	escaped, err := p.string()
	if err != nil {
		return err
	}
	name := p.text[start : p.at-1]
	if escaped {
		name = unescapeJSON(name)
	}
	if p.space(); !p.accept(':') {
		return p.syntax(`":"`)
	}

	v, err := p.value(depth + 1)
	if err != nil {
		return err.below(joinPath("", name))
	}
	v.name = name
	p.open = append(p.open, v)

	return nil
}

// fewMembers is how many members are compared with each other directly, which is faster than a map and allocates nothing.
const fewMembers = 16

func (p *valueParser) duplicate(members []Value) *ValueError {
	if len(members) <= fewMembers {
		for i := range members {
			for j := range i {
				if members[i].name == members[j].name {
					return duplicateMember(members[i].name)
				}
			}
		}
		return nil
	}

	seen := make(map[string]bool, len(members))
	for i := range members {
		if seen[members[i].name] {
			return duplicateMember(members[i].name)
		}
		seen[members[i].name] = true
	}

	return nil
}

func duplicateMember(name string) *ValueError {
	return &ValueError{Path: joinPath("", name), Problem: "is there twice: each member may occur once"}
}

// string moves over a string, quotes included.
func (p *valueParser) string() (escaped bool, err *ValueError) {
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return escaped, nil
		case c < ' ':
			return escaped, p.syntax(fmt.Sprintf(`\u%04x for this control character`, c))
		case c == '\\':
			escaped = true
			if err := p.escape(); err != nil {
				return escaped, err
			}
		}
	}

	return escaped, p.syntax(`a closing quote`)
}

// escape moves from a backslash to the last byte of its escape.
func (p *valueParser) escape() *ValueError {
	if p.at++; p.at == len(p.text) {
		return p.syntax("an escape")
	}
	if p.text[p.at] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, p.text[p.at]) < 0 {
			return p.syntax(`one of "\/bfnrtu behind the backslash`)
		}
		return nil
	}

	r, ok := hexRune(p.text[p.at+1:])
	if !ok {
		return p.syntax(`four hexadecimal digits behind \u`)
	}
	if !utf16.IsSurrogate(r) {
		p.at += 4
		return nil
	}
	low, ok := lowSurrogate(p.text[p.at+5:])
	if !ok || utf16.DecodeRune(r, low) == utf8.RuneError {
		return p.syntax("both halves of a surrogate pair")
	}
	p.at += 10

	return nil
}

// number moves over a number as RFC 8259 writes it.
func (p *valueParser) number() *ValueError {
	p.accept('-')
	switch {
	case p.accept('0'):
	case !p.digits():
		return p.syntax("a digit")
	}
	if p.accept('.') && !p.digits() {
		return p.syntax("a digit")
	}
	if p.accept('e') || p.accept('E') {
		if !p.accept('+') {
			p.accept('-')
		}
		if !p.digits() {
			return p.syntax("a digit")
		}
	}

	return nil
}

func (p *valueParser) digits() bool {
	start := p.at
	for p.at < len(p.text) && isDigit(p.text[p.at]) {
		p.at++
	}

	return p.at > start
}

func (p *valueParser) word() (valueKind, *ValueError) {
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

	return 0, p.syntax("a value")
}

func (p *valueParser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
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

func (p *valueParser) syntax(expected string) *ValueError {
	found := "the end"
	if p.at < len(p.text) {
		r, _ := utf8.DecodeRuneInString(p.text[p.at:])
		found = quoteText(string(r))
	}

	return &ValueError{Problem: fmt.Sprintf("is not JSON at byte %d: found %s, expected %s", p.at, found, expected)}
}

// below puts a step before the path of e.
func (e *ValueError) below(step string) *ValueError {
	if e.Path != "" && e.Path[0] != '[' {
		step += "."
	}
	e.Path = step + e.Path

	return e
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// hexRune reads four hexadecimal digits.
func hexRune(text string) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range []byte(text[:4]) {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}

	return r, true
}

// lowSurrogate reads \uXXXX.
func lowSurrogate(text string) (rune, bool) {
	if !strings.HasPrefix(text, `\u`) {
		return 0, false
	}

	return hexRune(text[2:])
}

// unescapeJSON decodes the inside of a string that has been parsed.
func unescapeJSON(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		c := text[i+1]
		text = text[i+2:]
		if c != 'u' {
			b.WriteByte(plainEscape(c))
			continue
		}
		r, _ := hexRune(text)
		text = text[4:]
		if utf16.IsSurrogate(r) {
			low, _ := lowSurrogate(text)
			r = utf16.DecodeRune(r, low)
			text = text[6:]
		}
		b.WriteRune(r)
	}
}

func plainEscape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}

	return c
}
