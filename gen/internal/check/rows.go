package check

import (
	"cmp"
	"slices"

	"golang.org/x/text/unicode/norm"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// foldKey is a key as the runtime compares it, in the composed form of Unicode: what looks the same is the same.
func foldKey(key string) string { return norm.NFC.String(ir.FoldKey(key)) }

// eachEarlierRow calls found for each row whose key, folded, an earlier row of its state has: with the row
// that has exactly its key if there is one, else with the first. Guards do not count.
func (u *unit) eachEarlierRow(found func(x *machine, s *ir.State, first, row *ir.Row)) {
	for _, x := range u.machines {
		if x.Partial {
			continue
		}
		for _, s := range x.States {
			folded := make(map[string]*ir.Row, len(s.Rows))
			exact := make(map[string]*ir.Row, len(s.Rows))
			for _, row := range s.Rows {
				fold := foldKey(row.Key.Value)
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

// eachTried calls found for each key of each state that is known whole, the catch-all included, with its rows in the order in
// which they are tried.
func (u *unit) eachTried(found func(x *machine, s *ir.State, rows []*ir.Row)) {
	for _, x := range u.machines {
		if x.Partial {
			continue
		}
		for _, s := range x.States {
			for _, rows := range tried(s) {
				found(x, s, rows)
			}
		}
	}
}

// tried returns the rows of a state by their keys as they are written, each key in the order in which its rows are tried, the
// keys in the order in which they are written first.
func tried(s *ir.State) [][]*ir.Row {
	at := make(map[string]int, len(s.Rows))
	var groups [][]*ir.Row
	for _, row := range s.Rows {
		i, known := at[row.Key.Value]
		if !known {
			i = len(groups)
			at[row.Key.Value] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], row)
	}
	for _, rows := range groups {
		slices.SortStableFunc(rows, func(a, b *ir.Row) int { return cmp.Compare(b.Priority, a.Priority) })
	}

	return groups
}
