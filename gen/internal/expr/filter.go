package expr

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// filterNames returns the filters in the order of the documentation.
func filterNames() []string {
	return ir.Map(builtin.Filters, func(f builtin.Filter) string { return f.Name })
}

// parseFilter parses a filter after its bar.
func (p *parser) parseFilter(of *ir.Placeholder) {
	t := p.peek()
	if t.kind != word {
		p.reportUnexpected()
		return
	}
	p.i++
	descriptor, known := builtin.FilterByName(t.text)
	if !known {
		p.report(diag.UnknownFilter, t.place, "there is no filter %q", t.text).Suggest(t.text, filterNames()).
			Note(noSpan, "the filters are %s", diag.JoinNames(filterNames()))
	}
	before := len(p.found)
	arg := p.parseFilterArgument(t, descriptor)
	if known && len(p.found) == before {
		if is := builtin.KindsOfExpression(of).There(); is != builtin.None && is&descriptor.Takes == 0 {
			p.report(diag.GuardType, t.place, "%s takes %s, and this is %s", t.text, descriptor.What, is)
		}
	}
	of.Filters = append(of.Filters, ir.Filter{Name: t.text, Type: descriptor.Type(), Arg: arg})
}

// parseFilterArgument parses the argument of a filter in parentheses, if there is one.
func (p *parser) parseFilterArgument(name token, filter builtin.Filter) *ir.Literal {
	switch {
	case !p.peek().hasText("(") && filter.Arg != 0:
		p.unsupported(name.place, "%s takes no arguments", name.text).WithHint("such as %s", filter.Example)
		return nil
	case !p.peek().hasText("("):
		return nil
	case filter.Arg == 0:
		at := p.tokens[min(p.i+1, len(p.tokens)-1)]
		p.skipTo(")")
		if filter.Name != "" && !at.hasText(")") {
			p.unsupported(at.place, "%s takes nothing", name.text)
		}
		return nil
	}
	p.i++
	arg := p.parseOperand()
	literal, isLiteral := arg.x.(*ir.Literal)
	switch {
	case p.broken || isReported(arg.x), arg.path != nil && arg.path.bad:
	case !isLiteral:
		p.unsupported(arg.place, "the argument of %s has to be in quotes", name.text)
	case filter.Arg&builtin.KindsOfExpression(literal) == 0:
		p.unsupported(arg.place, "%s takes %s in quotes", name.text, filter.Arg)
	}
	p.expect(")")

	return literal
}
