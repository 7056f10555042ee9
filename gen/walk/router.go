package walk

import (
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
)

// router finds the row of a key.
type router struct {
	exact, folded map[string]int
	catchAll      int // -1: none
}

func newRouter(s *ir.State) *router {
	r := &router{exact: make(map[string]int, len(s.Rows)), folded: make(map[string]int, len(s.Rows)), catchAll: -1}
	for i, row := range s.Rows {
		if row.IsCatchAll() {
			r.catchAll = i
			continue
		}
		if _, known := r.exact[row.Key.Value]; !known {
			r.exact[row.Key.Value] = i
		}
		if _, known := r.folded[keys.Fold(row.Key.Value)]; !known {
			r.folded[keys.Fold(row.Key.Value)] = i
		}
	}

	return r
}

// route returns the row that a key takes; -1 if there is none.
func (r *router) route(key string) int {
	if i, ok := r.exact[key]; ok {
		return i
	}
	if i, ok := r.folded[keys.Fold(key)]; ok {
		return i
	}

	return r.catchAll
}
