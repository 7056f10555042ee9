package replay

import (
	"cmp"

	"github.com/agentc-dev/agentc/runtime/internal/engine/budget"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Spending is what calls of models have used.
type Spending struct {
	Usage model.Usage
	Cost  int64
}

// Plus returns the sum of s and what a reply has used.
func (s Spending) Plus(reply *model.Reply) Spending {
	u := reply.Usage

	return Spending{
		Usage: model.Usage{
			Input: s.Usage.Input + u.Input, Output: s.Usage.Output + u.Output,
			Cached: s.Usage.Cached + u.Cached, Stored: s.Usage.Stored + u.Stored,
			Estimated: s.Usage.Estimated || u.Estimated,
		},
		Cost: budget.AddAmounts(s.Cost, reply.Cost),
	}
}

// PrefixFailed begins the names of the fields for what failed calls of a turn have used.
const PrefixFailed = "failed_"

// Fields returns the fields of a result. prefix begins their names.
func (s Spending) Fields(prefix string) []journal.Field {
	return field.Optional(
		prefix+"tokens_in", field.Count(int64(s.Usage.Input)), prefix+"tokens_out", field.Count(int64(s.Usage.Output)),
		prefix+"tokens_cached", field.Count(int64(s.Usage.Cached)), prefix+"tokens_stored", field.Count(int64(s.Usage.Stored)),
		prefix+"tokens_estimated", field.Bool(s.Usage.Estimated), prefix+"cost", field.Count(s.Cost),
	)
}

// ReadSpending reads what fields has written.
func ReadSpending(r *journal.Record, prefix string) (Spending, error) {
	var s Spending
	var errs error
	for _, count := range []struct {
		name string
		into *int
	}{
		{"tokens_in", &s.Usage.Input}, {"tokens_out", &s.Usage.Output},
		{"tokens_cached", &s.Usage.Cached}, {"tokens_stored", &s.Usage.Stored},
	} {
		n, err := field.ParseCount(r.Value(prefix + count.name))
		*count.into, errs = int(n), cmp.Or(errs, err)
	}
	s.Usage.Estimated = r.Value(prefix+"tokens_estimated") == "true"
	cost, err := field.ParseCount(r.Value(prefix + "cost"))
	s.Cost = cost

	return s, cmp.Or(errs, err)
}
