package expr

import (
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// kindsOf returns what a value may be.
func kindsOf(x ir.Expression) builtin.Kind {
	switch x := x.(type) {
	case nil:
		return builtin.Any
	case *ir.Literal:
		return builtin.KindOf(workflow.Of(x.Value))
	case *ir.Access:
		return kindsOfAccess(x)
	case *ir.Method:
		if x.Arg == nil {
			return kindsOf(x.X)&builtin.None | builtin.Text
		}
	case *ir.Placeholder:
		return kindsOfPlaceholder(x)
	}

	return builtin.KindsOf(x.Is().Schema)
}

func kindsOfAccess(x *ir.Access) builtin.Kind {
	if x.Root == 0 {
		return builtin.Any // it was reported
	}
	k := builtin.KindsOf(x.Type.Schema)
	if x.Maybe {
		k |= builtin.None
	}
	if x.Default != nil {
		k |= kindsOf(x.Default)
	}

	return k
}

// kindsOfPlaceholder returns what a placeholder may give.
func kindsOfPlaceholder(p *ir.Placeholder) builtin.Kind {
	var is builtin.Kind
	for i, value := range p.Values {
		is |= kindsOf(value)
		if i < len(p.Values)-1 {
			is &^= builtin.None
		}
	}
	for _, f := range p.Filters {
		descriptor, known := builtin.FilterByName(f.Name)
		if !known {
			is = builtin.Any
			continue
		}
		is = is&descriptor.Keeps | descriptor.Gives
		if descriptor.Gives == 0 && f.Arg != nil {
			is |= kindsOf(f.Arg)
		}
	}

	return is
}
