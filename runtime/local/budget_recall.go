package local

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// outlay is what a recorded effect has spent. It counts whatever became of the effect: one that failed and is tried again has spent
// it all the same.
type outlay struct {
	calls, tokens, micro int64
	under                span
}

// outlayOf reads it from an effect's records. What was refused has spent nothing, and waiting for a person costs no time.
func outlayOf(intent, result *journal.Record) (o outlay) {
	switch result.Name {
	case kindAsk, kindNow, kindParallel:
		return outlay{}
	case kindModel:
		if refused := field(result, "error_type"); refused == "BudgetError" || refused == "MissingPriceError" {
			return outlay{}
		}
		in, _ := numberOf(field(result, "tokens_in")) // a number that cannot be read ends the run where the reply is read
		out, _ := numberOf(field(result, "tokens_out"))
		o.calls, o.tokens = 1, in+out
		o.micro, _ = numberOf(field(result, "cost"))
	}
	if intent != nil {
		o.under = span{intent.Time, result.Time}
	}

	return o
}

// recalled counts what was spent in earlier processes by an effect that the run comes by now, whether or not it is carried out again.
func (f *Effects) recalled(was *past) {
	if f.budget == nil || was == nil || f.run.tape.dry {
		return
	}
	f.run.purse.Lock()
	for _, o := range was.outlays {
		f.budget.respend(o)
	}
	f.run.purse.Unlock()
	f.alert(false)
}

func (b *budget) respend(o outlay) {
	for ; b != nil; b = b.around {
		b.calls += o.calls
		b.tokens += o.tokens
		b.micro += o.micro
		if b.max.Time > 0 && o.under.to.After(o.under.from) {
			b.watch.recall(o.under)
		}
	}
}

// recalledModel is recalled for a turn of a model, of which the observer may not have been told. The conversation has heard of the
// budgets as it did then: of the calls with the turn, of the rest after it.
func (f *Effects) recalledModel(request *runtime.ModelRequest, reply *runtime.ModelReply, err error, was *past) {
	if f.budget != nil {
		rest := *was
		rest.outlays = slices.Clone(was.outlays)
		calls := outlay{}
		for i := range rest.outlays {
			calls.calls += rest.outlays[i].calls
			rest.outlays[i].calls = 0
		}
		f.recalled(&past{outlays: []outlay{calls}})
		heard := *request
		f.remind(&heard)
		was = &rest
	}
	f.recalled(was)
	f.run.spend(reply.Usage)
	f.noteModel(*request, *reply, err)
}
