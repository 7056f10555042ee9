package core

import (
	"context"
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// ForkOptions say what is other in a fork.
type ForkOptions struct {
	// Reply takes the place of what the effect came to: of a model its text, or JSON {"text":…,"calls":[{"name":…,"args":{…}}]}; of a
	// tool its result; of a function its value as JSON; of a person the answer; of a guard JSON {"ok":…,"reason":…}. nil: the effect is
	// carried out again.
	Reply []byte
}

// Fork makes a new run that has done what a run had done before the effect at an address began, and what was under way then, and
// goes on otherwise from there when it is resumed. The run itself stays as it is. A run with a damaged journal can be forked at any
// effect before the damage.
//
// Errors: ErrNoStore, *UnknownAddressError, *WrongProgramError, journal.ErrUnknownRun and others of package journal.
func (e *Engine) Fork(ctx context.Context, p *compiled.Program, run, at string, o ForkOptions) (newRun string, err error) {
	if e.config.Store == nil {
		return "", ErrNoStore
	}
	j, damage := journal.Read(ctx, e.config.Store, run)
	if j == nil {
		return "", damage
	}
	h := readHistory(j)
	if _, _, err := h.program(p, run, true); err != nil {
		return "", err
	}
	was := h.places[at]
	switch {
	case !was.began() && damage != nil:
		return "", fmt.Errorf("%w; before that the run has no effect %s", damage, at)
	case !was.began():
		return "", &UnknownAddressError{Run: run, Address: at, Problem: "the run has no such effect"}
	}
	records := before(j.Records, was, at)
	if o.Reply != nil {
		result, err := replacement(run, at, was, o.Reply)
		if err != nil {
			return "", err
		}
		result.Time = e.config.Clock.Now().UTC()
		records = append(records, *was.intent, result)
	}
	newRun = e.config.RunID()

	return newRun, e.copyRun(ctx, newRun, e.forked(h.begin, newRun, at), records)
}

// forked is the first record of a fork.
func (e *Engine) forked(begin *journal.Record, newRun, at string) journal.Record {
	fields := slices.DeleteFunc(slices.Clone(begin.Fields), func(f journal.Field) bool {
		return f.Name == "forked_from" || f.Name == "forked_at"
	})

	return journal.Record{
		Type: journal.Begin, Time: e.config.Clock.Now().UTC(), Name: newRun,
		Fields: append(fields, given("forked_from", begin.Name, "forked_at", at)...),
	}
}

func (e *Engine) copyRun(ctx context.Context, run string, begin journal.Record, records []journal.Record) error {
	w, err := journal.Create(ctx, e.config.Store, run, begin)
	if err != nil {
		return err
	}
	for _, r := range records {
		w.Append(r)
	}

	return w.Close()
}

// before is what a journal has from before an effect began, without its first record, and the results of what was under way then.
func before(records []journal.Record, was *past, at string) (kept []journal.Record) {
	open := map[string]bool{}
	began := false
	for i := range records[1:] {
		r := &records[i+1]
		began = began || r == was.intent || was.intent == nil && r == was.result
		switch {
		case !began:
			if r.Address == at && r.Type != journal.Event {
				continue // it was begun before, and begun again
			}
			kept = append(kept, *r)
			switch r.Type {
			case journal.Intent:
				open[r.Address] = r.Name != kindParallel
			case journal.Result:
				delete(open, r.Address)
			}
		case r.Type == journal.Result && open[r.Address]:
			kept = append(kept, *r)
			delete(open, r.Address)
		}
	}

	return kept
}
