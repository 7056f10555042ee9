package expr

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// filterNames are the filters in the order of the documentation.
func filterNames() []string {
	var names []string
	for _, f := range builtin.Filters {
		names = append(names, f.Name)
	}

	return names
}

// filter reads a filter behind its bar.
func (c *cursor) filter(p *ir.Placeholder) bool {
	t := c.peek()
	if t.kind != word {
		c.unexpected()
		return false
	}
	c.i++
	descriptor, known := builtin.FilterByName(t.text)
	f := ir.Filter{Name: t.text, Type: descriptor.Type()}
	if !known {
		c.report(diag.UnknownFilter, t.place, "there is no filter %q", t.text).Suggest(t.text, filterNames()).
			Note(noSpan, "the filters are %s", diag.Listed(filterNames()))
	}
	if !c.argument(&f, t, descriptor, known) {
		return false
	}
	if known {
		c.checkFilter(p, descriptor, t)
	}
	p.Filters = append(p.Filters, f)

	return true
}

// argument reads what stands in parentheses behind a filter.
func (c *cursor) argument(f *ir.Filter, name token, descriptor builtin.Filter, known bool) bool {
	takes := descriptor.Arg != 0
	if !c.accept("(") {
		if takes {
			c.wrong(name.place, "%s has nothing in parentheses behind it", f.Name).WithHint("such as %s", descriptor.Example)
		}
		return !takes
	}
	if !takes {
		if known && !c.peek().is(")") {
			c.wrong(c.peek().place, "%s takes nothing", f.Name)
		}
		return c.skipTo(")")
	}
	at, before := c.peek(), len(c.found)
	literal, ok := c.value().(*ir.Literal)
	switch {
	case !ok:
		if len(c.found) == before {
			c.wrong(at.place, "what %s takes stands in quotes", f.Name)
		}
		return false
	case descriptor.Arg&kindsOf(literal) == 0:
		c.wrong(at.place, "%s takes %s in quotes", f.Name, descriptor.Arg)
		return false
	case !c.accept(")"):
		c.unexpected()
		return false
	}
	f.Arg = literal

	return true
}

// skipTo passes over tokens up to one with that text, and reports whether there is one.
func (c *cursor) skipTo(text string) bool {
	for c.i < len(c.tokens) && !c.peek().is(text) {
		c.i++
	}
	if !c.accept(text) {
		c.unexpected()
		return false
	}

	return true
}

// checkFilter reports a filter of something that it does nothing to.
func (c *cursor) checkFilter(p *ir.Placeholder, f builtin.Filter, name token) {
	if is := kindsOf(p).There(); is != builtin.None && is&f.Takes == 0 {
		c.report(diag.GuardType, name.place, "%s takes %s, and this is %s", f.Name, f.What, is)
	}
}
