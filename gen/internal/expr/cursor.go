package expr

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/ir"
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
		_, size := utf8.DecodeRuneInString(t.text[bad+1:])
		at := place{t.start + bad, t.start + bad + 1 + size}
		c.wrong(at, "the escape %s is not known", c.written(at)).
			WithHint(`there are \\ \' \" \n \r \t`)
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
