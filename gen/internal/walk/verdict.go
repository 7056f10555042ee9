package walk

import (
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// given is what is known of what a guard is asked about.
type given struct {
	// key is the text of the rows that have the key. It is not known where no row has it, because
	// one key stands for all others there.
	key   string
	known bool
	// visits says how often a state was entered; nil where that is not known.
	visits func(state string) int
}

// verdict says whether a guard holds, as far as what is given tells. A named guard is the user's:
// what it says is not known.
func verdict(guard *ir.Guard, about given) (holds, known bool) {
	if guard.Formula == nil {
		return false, false
	}
	canHold, canFail := expr.Judge(guard.Formula.Root, about.value)

	return canHold, canHold != canFail
}

// value is that of a name.
func (g given) value(x *ir.Access) (value any, known bool) {
	switch {
	case x.Root == ir.RootKey && len(x.Path) == 0:
		return g.key, g.known
	case x.Root == ir.RootVisits && len(x.Path) == 1 && g.visits != nil:
		return int64(g.visits(x.Path[0].Name.Value)), true
	}

	return nil, false
}
