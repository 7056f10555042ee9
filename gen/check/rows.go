package check

import (
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
)

// eachEarlierRow calls found for each row whose key, trimmed and lower-cased, an earlier row of its state has: with the row
// that has exactly its key if there is one, else with the first.
func (u *unit) eachEarlierRow(found func(x *machine, s *ir.State, first, row *ir.Row)) {
	for _, x := range u.machines {
		if x.Partial {
			continue
		}
		for _, s := range x.States {
			folded := make(map[string]*ir.Row, len(s.Rows))
			exact := make(map[string]*ir.Row, len(s.Rows))
			for _, row := range s.Rows {
				fold := keys.Fold(row.Key.Value)
				switch {
				case exact[row.Key.Value] != nil:
					found(x, s, exact[row.Key.Value], row)
				case folded[fold] != nil:
					found(x, s, folded[fold], row)
				default:
					folded[fold] = row
				}
				if exact[row.Key.Value] == nil {
					exact[row.Key.Value] = row
				}
			}
		}
	}
}
