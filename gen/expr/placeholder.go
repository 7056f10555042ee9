package expr

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// cursor goes through the tokens of a placeholder.
type cursor struct {
	*template
	tokens []token
	i      int
	end    int // where the placeholder ends
	// form is what is wanted, for hints.
	form string
}

// cursor begins to read what stands at a place; nil if there is too much of it.
func (t *template) cursor(at place, form string) *cursor {
	c := &cursor{template: t, tokens: tokens(t.text.Value, at, true), end: at.end, form: form}
	if len(c.tokens) > maxTokens {
		t.wrong(c.tokens[maxTokens].place, "the placeholder has more than %d words and signs", maxTokens)
		return nil
	}

	return c
}

// peek returns the token that comes next; the zero token at the end.
func (c *cursor) peek() token {
	if c.i == len(c.tokens) {
		return token{place: place{c.end, c.end}}
	}

	return c.tokens[c.i]
}

// accept passes over a token with that text.
func (c *cursor) accept(text string) bool {
	if c.i < len(c.tokens) && c.peek().is(text) {
		c.i++
		return true
	}

	return false
}

// placeholder reads `a or b | filter(arg)`; nil if it cannot be read.
func (t *template) placeholder(all, inner place) *ir.Placeholder {
	c := t.cursor(inner, `a placeholder is {{ name or "text" | filter }}`)
	if c == nil {
		return nil
	}
	p := &ir.Placeholder{Span: t.span(all)}
	for {
		value := c.value()
		if value == nil {
			return nil
		}
		p.Values = append(p.Values, value)
		if !c.accept("or") {
			break
		}
	}
	for c.accept("|") {
		if !c.filter(p) {
			return nil
		}
	}
	if c.i < len(c.tokens) {
		c.unexpected()
		return nil
	}

	return p
}

// subject reads what {{#if}} and {{#each}} are about: a path.
func (t *template) subject(at place) ir.Expression {
	c := t.cursor(at, "a block is about a name; conditional steps compare")
	if c == nil {
		return t.unknown(at)
	}
	if value := c.value(); value != nil {
		if c.i == len(c.tokens) {
			return value
		}
		c.unexpected()
	}

	return t.unknown(at)
}

// unexpected reports the token that comes next.
func (c *cursor) unexpected() {
	t := c.peek()
	switch {
	case t.start == t.end:
		c.wrong(place{c.tokens[len(c.tokens)-1].start, c.end}, "the placeholder ends too early")
	case t.kind == wrong && (t.text[0] == '\'' || t.text[0] == '"'):
		c.wrong(t.place, "the text is not closed").WithHint("it begins with %s and needs another one at its end", t.text[:1])
	case t.is("("):
		c.wrong(t.place, "a placeholder calls nothing").WithHint("filters change a value: {{ x | upper }}")
	default:
		c.wrong(t.place, "%q was not expected here", t.text).WithHint("%s", c.form)
	}
}

// value reads a path or a literal; nil if there is none.
func (c *cursor) value() ir.Expression {
	t := c.peek()
	switch t.kind {
	case quote:
		text, ok := c.quoteText(t)
		if !ok {
			return nil
		}
		return text
	case number:
		return c.number(t)
	case word:
		if operators[t.text] {
			break
		}
		c.i++
		if value, ok := constants[t.text]; ok {
			return &ir.Literal{Span: c.span(t.place), Value: value}
		}
		if c.peek().is("(") {
			break
		}
		if p, ok := c.path(c.root(part{t.place, t.text})); ok {
			return c.access(p)
		}
		return nil
	}
	c.unexpected()

	return nil
}

// operators are words of expressions that are no names in placeholders either.
var operators = wordSet("and or not in is if else")

// number reads a number.
func (c *cursor) number(t token) ir.Expression {
	c.i++
	literal := &ir.Literal{Span: c.span(t.place)}
	if n, err := strconv.ParseInt(t.text, 10, 64); err == nil {
		literal.Value = n
	} else if f, err := strconv.ParseFloat(t.text, 64); err == nil && strings.Trim(t.text, "+-.0123456789eE") == "" {
		literal.Value = f
	} else {
		c.wrong(t.place, "%q is no number", t.text)
		return nil
	}

	return literal
}

// quoteText reads a text in quotes.
func (c *cursor) quoteText(t token) (*ir.Literal, bool) {
	c.i++
	value, bad := unquoted(t.text)
	if bad >= 0 {
		at := t.start + bad
		c.wrong(place{at, at + 2}, "the escape %s is not known", c.text.Value[at:at+2]).WithHint(`there are \\ \' \" \n \r \t`)
		return nil, false
	}

	return &ir.Literal{Span: c.span(t.place), Value: value}, true
}

// escapes are what may stand behind a backslash.
const (
	escapes = `\'"nrt`
	escape  = "\\'\"\n\r\t"
)

// unquoted returns what a text in quotes means; bad is where it has an escape that is not known, else -1.
func unquoted(text string) (value string, bad int) {
	var b strings.Builder
	for i := 1; i < len(text)-1; i++ {
		c := text[i]
		if c == '\\' {
			n := strings.IndexByte(escapes, text[i+1])
			if n < 0 {
				return "", i
			}
			c = escape[n]
			i++
		}
		b.WriteByte(c)
	}

	return b.String(), -1
}

// path goes on with .name, ["name"] and .get("name"); ok is false if it cannot be read.
func (c *cursor) path(p path) (path, bool) {
	for {
		ok := true
		switch {
		case c.accept("."):
			t := c.peek()
			if t.kind != word {
				c.unexpected()
				return p, false
			}
			c.i++
			if t.text == get && c.peek().is("(") {
				ok = c.key(&p, ")")
			} else {
				p = c.member(p, part{t.place, t.text}, t.place)
			}
		case c.peek().is("["):
			ok = c.key(&p, "]")
		default:
			return p, true
		}
		if !ok {
			return p, false
		}
	}
}

// key goes on with a bracket, a text that names a field, and the closing bracket, and reports whether that can be read.
func (c *cursor) key(p *path, closing string) bool {
	c.i++
	t := c.peek()
	if t.kind != quote {
		c.wrong(t.place, "the name of a field stands in quotes here")
		return false
	}
	name, ok := c.quoteText(t)
	if !ok {
		return false
	}
	end := c.peek()
	if !c.accept(closing) {
		c.unexpected()
		return false
	}
	next := part{t.place, name.Value.(string)}
	if t.end-t.start == len(next.name)+2 {
		next.place = place{t.start + 1, t.end - 1}
	}

	*p = c.member(*p, next, end.place)

	return true
}

// filterNames are the filters in the order of the documentation.
var filterNames = []string{"join", "upper", "lower", "length", "tojson", "default"}

// example shows the filters that take something.
var example = map[string]string{"join": `join(", ")`, "default": `default("none")`}

// filter reads a filter behind its bar.
func (c *cursor) filter(p *ir.Placeholder) bool {
	t := c.peek()
	if t.kind != word {
		c.unexpected()
		return false
	}
	c.i++
	f := ir.Filter{Name: t.text}
	known := slices.Contains(filterNames, t.text)
	if !known {
		c.report(diag.UnknownFilter, t.place, "there is no filter %q", t.text).Suggest(t.text, filterNames).
			Note(noSpan, "the filters are %s", listed(filterNames))
	}
	if !c.argument(&f, t, known) {
		return false
	}
	if known {
		c.checkFilter(p, f, t)
	}
	p.Filters = append(p.Filters, f)

	return true
}

// argument reads what stands in parentheses behind a filter.
func (c *cursor) argument(f *ir.Filter, name token, known bool) bool {
	takes := example[f.Name] != ""
	if !c.accept("(") {
		if takes {
			c.wrong(name.place, "%s has nothing in parentheses behind it", f.Name).WithHint("such as %s", example[f.Name])
		}
		return !takes
	}
	if !takes && known {
		if c.accept(")") {
			return true
		}
		c.wrong(c.peek().place, "%s takes nothing", f.Name)
		return false
	}
	at, before := c.peek(), len(c.found)
	literal, ok := c.value().(*ir.Literal)
	switch {
	case !ok:
		if len(c.found) == before {
			c.wrong(at.place, "what %s takes stands in quotes", f.Name)
		}
		return false
	case f.Name == "join" && kindOf(literal.Value) != kindText:
		c.wrong(at.place, "join takes a text in quotes")
		return false
	case !c.accept(")"):
		c.unexpected()
		return false
	}
	f.Arg = literal

	return true
}
