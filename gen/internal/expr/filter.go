package expr

import (
	"cmp"
	"fmt"

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
	args := p.parseFilterArguments(t, descriptor)
	if known && len(p.found) == before {
		if is := builtin.KindsOfExpression(of).There(); is != builtin.None && is&descriptor.Takes == 0 {
			p.report(diag.GuardType, t.place, "%s takes %s, and this is %s", t.text, descriptor.What, is)
		}
	}
	of.Filters = append(of.Filters, ir.Filter{Name: t.text, Type: descriptor.Type(), Args: args})
}

// parseFilterArguments parses the arguments of a filter in parentheses. It returns one for each
// parameter: the default, or an empty text after a problem, for one that is not there.
func (p *parser) parseFilterArguments(name token, filter builtin.Filter) []*ir.Literal {
	isOpen := p.peek().hasText("(")
	if isOpen && len(filter.Params) == 0 {
		at := p.tokens[min(p.i+1, len(p.tokens)-1)]
		p.skipTo(")")
		if filter.Name != "" && !at.hasText(")") {
			p.unsupported(at.place, "%s takes nothing", name.text)
		}
		return nil
	}
	before := len(p.found)
	var args []*ir.Literal
	if isOpen {
		args = p.parseFilterLiterals(name, filter)
	}
	for _, param := range filter.Params[len(args):] {
		if param.Default == nil && !p.broken && len(p.found) == before {
			p.unsupported(name.place, "%s takes %s", name.text, countArguments(filter)).
				WithHint("such as %s", filter.Example)
		}
		args = append(args, &ir.Literal{Span: p.span(name.place), Value: cmp.Or[any](param.Default, "")})
	}

	return args
}

// countArguments returns how many arguments a filter takes, in words.
func countArguments(filter builtin.Filter) string {
	if len(filter.Params) == 1 {
		return "one argument"
	}

	return fmt.Sprintf("%d arguments", len(filter.Params))
}

// parseFilterLiterals parses arguments in parentheses, at most one for each parameter.
func (p *parser) parseFilterLiterals(name token, filter builtin.Filter) []*ir.Literal {
	var args []*ir.Literal
	p.i++
	for !p.broken {
		if p.peek().hasText(")") && len(args) == 0 {
			break
		}
		if len(args) == len(filter.Params) {
			p.unsupported(p.peek().place, "%s takes %s", name.text, countArguments(filter)).
				WithHint("such as %s", filter.Example)
		}
		arg := p.parseOperand()
		if len(args) < len(filter.Params) {
			args = append(args, p.checkFilterLiteral(name, filter.Params[len(args)], arg))
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")

	return args
}

// checkFilterLiteral returns an argument, which has to be a literal that the parameter takes. After
// a problem it is an empty text.
func (p *parser) checkFilterLiteral(name token, param builtin.FilterParam, arg operand) *ir.Literal {
	literal, isLiteral := arg.x.(*ir.Literal)
	switch {
	case p.broken || isReported(arg.x), arg.path != nil && arg.path.bad:
	case !isLiteral && param.Takes == builtin.Number:
		p.unsupported(arg.place, "%s %s", name.text, param.Describe())
	case !isLiteral:
		p.unsupported(arg.place, "the argument of %s has to be in quotes", name.text)
	case !param.Accepts(literal):
		p.unsupported(arg.place, "%s %s", name.text, param.Describe())
	default:
		return literal
	}

	return &ir.Literal{Span: p.span(arg.place), Value: ""}
}
