package expr

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// checkFilter reports a filter of something that it does nothing to.
func (c *cursor) checkFilter(p *ir.Placeholder, f ir.Filter, name token) {
	is := kindsOf(p).there()
	takes, what := kindAny, ""
	switch f.Name {
	case "join":
		takes, what = kindList, "a list"
	case "length":
		takes, what = kindList|kindText|kindObject, "a list, a text or an object"
	case "upper", "lower":
		takes, what = kindAny.without(kindList|kindObject), "a text"
	}
	if is != kindNone && is&takes == 0 {
		c.report(diag.GuardType, name.place, "%s takes %s, and this is %s", f.Name, what, is.some())
	}
}

// kindsOfPlaceholder returns what a placeholder may give.
func kindsOfPlaceholder(p *ir.Placeholder) kinds {
	var is kinds
	for i, value := range p.Values {
		is |= kindsOf(value)
		if i < len(p.Values)-1 {
			is = is.without(kindNone)
		}
	}
	for _, f := range p.Filters {
		switch f.Name {
		case "join":
			is = is.without(kindList) | kindText
		case "upper", "lower":
			is = is&kindNone | kindText
		case "length":
			is = kindNumber
		case "tojson":
			is = kindText
		case "default":
			is = is.without(kindNone) | kindsOf(f.Arg)
		default:
			is = kindAny
		}
	}

	return is
}
