package expr

import (
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

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
		p.Values = append(p.Values, choices(value)...)
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

// choices are the values of which one counts, where a name may mean two.
func choices(value ir.Expression) []ir.Expression {
	if p, ok := value.(*ir.Placeholder); ok {
		return p.Values
	}

	return []ir.Expression{value}
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
			switch called := c.peek().is("("); {
			case called && t.text == builtin.Get:
				ok = c.key(&p, ")")
			case called:
				c.unexpected()
				return p, false
			default:
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
