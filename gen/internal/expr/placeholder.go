package expr

import "github.com/agentc-dev/agentc/gen/internal/ir"

// parser begins to read what is in braces at a place; nil if there is too much of it.
func (t *template) parser(at place, form string) *parser {
	p := &parser{reader: t.reader, tokens: tokens(t.text.Value, at, true), placeholder: form}
	if len(p.tokens) > maxTokens {
		t.unsupported(p.tokens[maxTokens].place, "the placeholder has more than %d tokens", maxTokens)
		return nil
	}

	return p
}

// close reports what is left to read, and what could not be read.
func (p *parser) close() {
	if p.i < len(p.tokens) {
		p.unexpected()
	}
	p.found = append(p.found, p.grammar...)
}

// placeholder reads `a or b | filter(arg)`.
func (t *template) placeholder(all, inner place) ir.Part {
	result := &ir.Placeholder{Span: t.span(all)}
	p := t.parser(inner, `a placeholder is {{ name or "text" | filter }}`)
	if p == nil {
		return result
	}
	defer p.close()
	result.Values = p.choices(nil)
	for p.accept("or") {
		result.Values = p.choices(result.Values)
	}
	for p.accept("|") {
		p.filter(result)
	}

	return result
}

// choices reads a value, and appends those of which one counts, where a name may mean two.
func (p *parser) choices(values []ir.Expression) []ir.Expression {
	value := p.value(p.operand())
	if choice, ok := value.(*ir.Placeholder); ok {
		return append(values, choice.Values...)
	}

	return append(values, value)
}

// subject reads what {{#if}} and {{#each}} are about: a path.
func (t *template) subject(at place) ir.Expression {
	p := t.parser(at, "a block takes a name; to compare, use a conditional step")
	if p == nil {
		return t.unknown(at)
	}
	defer p.close()

	return p.value(p.operand())
}
