package core

import (
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// spending is what calls of models have taken.
type spending struct {
	usage model.Usage
	cost  int64
}

// and is what was taken together with a reply.
func (s spending) and(reply *model.Reply) spending {
	u := reply.Usage

	return spending{
		usage: model.Usage{
			Input: s.usage.Input + u.Input, Output: s.usage.Output + u.Output,
			Cached: s.usage.Cached + u.Cached, Stored: s.usage.Stored + u.Stored,
		},
		cost: add(s.cost, reply.Cost),
	}
}

// fields are those of a result. before begins the names of the tokens and the cost.
func (s spending) fields(before string) []journal.Field {
	return given(before+"tokens_in", count(int64(s.usage.Input)), before+"tokens_out", count(int64(s.usage.Output)),
		before+"tokens_cached", count(int64(s.usage.Cached)), before+"tokens_stored", count(int64(s.usage.Stored)),
		before+"cost", count(s.cost))
}

// spendingOf reads what fields has written.
func spendingOf(r *journal.Record, before string) (s spending, err error) {
	for _, part := range []struct {
		name string
		into *int
	}{
		{"tokens_in", &s.usage.Input}, {"tokens_out", &s.usage.Output},
		{"tokens_cached", &s.usage.Cached}, {"tokens_stored", &s.usage.Stored},
	} {
		n, problem := numberOf(field(r, before+part.name))
		*part.into, err = int(n), both(err, problem)
	}
	cost, problem := numberOf(field(r, before+"cost"))
	s.cost = cost

	return s, both(err, problem)
}

// beforeFailed begins the names of what failed attempts of a turn have spent.
const beforeFailed = "failed_"
