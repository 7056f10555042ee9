package core

import (
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// spending is what calls of models have used.
type spending struct {
	usage model.Usage
	cost  int64
}

// plus returns the sum of s and what a reply has used.
func (s spending) plus(reply *model.Reply) spending {
	u := reply.Usage

	return spending{
		usage: model.Usage{
			Input: s.usage.Input + u.Input, Output: s.usage.Output + u.Output,
			Cached: s.usage.Cached + u.Cached, Stored: s.usage.Stored + u.Stored,
			Estimated: s.usage.Estimated || u.Estimated,
		},
		cost: addAmounts(s.cost, reply.Cost),
	}
}

// prefixFailed begins the names of the fields for what failed calls of a turn have used.
const prefixFailed = "failed_"

// fields returns the fields of a result. prefix begins their names.
func (s spending) fields(prefix string) []journal.Field {
	return field.Optional(
		prefix+"tokens_in", field.Count(int64(s.usage.Input)), prefix+"tokens_out", field.Count(int64(s.usage.Output)),
		prefix+"tokens_cached", field.Count(int64(s.usage.Cached)), prefix+"tokens_stored", field.Count(int64(s.usage.Stored)),
		prefix+"tokens_estimated", field.Bool(s.usage.Estimated), prefix+"cost", field.Count(s.cost),
	)
}

// readSpending reads what fields has written.
func readSpending(r *journal.Record, prefix string) (spending, error) {
	var s spending
	var errs error
	for _, count := range []struct {
		name string
		into *int
	}{
		{"tokens_in", &s.usage.Input}, {"tokens_out", &s.usage.Output},
		{"tokens_cached", &s.usage.Cached}, {"tokens_stored", &s.usage.Stored},
	} {
		n, err := field.ParseCount(r.Value(prefix + count.name))
		*count.into, errs = int(n), joinErrors(errs, err)
	}
	s.usage.Estimated = r.Value(prefix+"tokens_estimated") == "true"
	cost, err := field.ParseCount(r.Value(prefix + "cost"))
	s.cost = cost

	return s, joinErrors(errs, err)
}
