package local

import (
	"context"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// Answer records what somebody replies to a question of a run, which goes on with it when it is resumed. The question is named by its
// id, or as ID#ADDRESS. by says who answers; "" if that is not known.
//
// Errors, beside those of [Engine.Questions]: *runtime.AnswerError for an answer that does not fit, *runtime.AnsweredError for a
// second one, *runtime.UnknownQuestionError, *runtime.RunEndedError, journal.ErrRunLocked while another process works on the run.
func (e *Engine) Answer(ctx context.Context, p *runtime.Program, run, question, value, by string) error {
	if e.config.Store == nil {
		return ErrNoStore
	}
	if r := e.running(run); r != nil {
		if taken, err := r.answered(question, value, by); taken {
			return err
		}
		select { // it is about to give its journal back
		case <-r.tape.gone:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	j, w, err := journal.Open(ctx, e.config.Store, run)
	if err != nil {
		return err
	}
	record, err := e.answer(ctx, p, historyOf(j), ask{run, question, value, by})
	if err == nil {
		record.Time = e.config.Clock.Now().UTC()
		w.Append(record)
	}

	return both(err, w.Close())
}

// ask is an answer that somebody gives.
type ask struct{ run, question, value, by string }

// answer judges an answer to a run that nobody works on, and returns its record.
func (e *Engine) answer(ctx context.Context, p *runtime.Program, h *history, a ask) (journal.Record, error) {
	open, err := e.open(ctx, p, a.run, h)
	if err != nil {
		return journal.Record{}, err
	}
	q, err := a.find(open)
	if err == nil {
		return a.record(q)
	}
	if given := h.given(a.question); given != nil {
		return journal.Record{}, a.second(given)
	}
	if h.isDone() {
		err = &runtime.RunEndedError{Run: a.run, Status: statusDone}
	}

	return journal.Record{}, err
}

// find is the open question that is named.
func (a ask) find(open []OpenQuestion) (found OpenQuestion, err error) {
	matches := 0
	unknown := &runtime.UnknownQuestionError{Run: a.run, Question: a.question}
	for _, q := range open {
		if q.ID == a.question || q.ID+"#"+q.Address == a.question {
			found = q
			matches++
		}
		unknown.Open = append(unknown.Open, q.Name(open))
	}
	if matches != 1 {
		return found, unknown
	}

	return found, nil
}

// record is the answer to a question as it is recorded, if it fits.
func (a ask) record(q OpenQuestion) (journal.Record, error) {
	refused := &runtime.AnswerError{Run: a.run, Question: a.question, Answer: a.value}
	value, ok := q.Choose(a.value)
	if !ok {
		refused.Choices = q.Choices

		return journal.Record{}, refused
	}
	if q.Check != nil {
		if refused.Err = q.Check(value); refused.Err != nil {
			return journal.Record{}, refused
		}
	}

	return answerRecord(q.Address, q.ID, value, a.by), nil
}

func (a ask) second(first *reply) error {
	return &runtime.AnsweredError{Run: a.run, Question: a.question, Value: first.value, By: first.by}
}

// given is the newest answer to a question, as it is named; nil if it has none.
func (h *history) given(question string) (newest *reply) {
	at := ""
	for address, p := range h.places {
		for id, answer := range p.replies() {
			if id != question && id+"#"+address != question {
				continue
			}
			if newest == nil || compareAddresses(address, at) > 0 {
				newest, at = answer, address
			}
		}
	}

	return newest
}

// replies are the answers that were given at a place, by the question's id.
func (p *past) replies() map[string]*reply {
	if p.result == nil || p.result.Name != kindAsk || isError(p.result) {
		return p.answers
	}

	return map[string]*reply{nameOf(p): {value: field(p.result, "value"), by: field(p.result, "by")}}
}

// running is the run of that name which is under way here; nil if there is none.
func (e *Engine) running(id string) *run {
	e.mu.Lock()
	defer e.mu.Unlock()

	return e.owned[id]
}

// answered records an answer to a question that one branch waits for while others work. taken is false if the run gives its journal
// back.
func (r *run) answered(question, value, by string) (taken bool, err error) {
	t, a := r.tape, ask{r.id, question, value, by}
	open := t.waiting()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false, nil
	}
	q, err := a.find(open)
	if given := t.replied(question); err != nil && given != nil {
		return true, a.second(given)
	}
	if err != nil {
		return true, err
	}
	if _, still := t.open[q.Address]; !still {
		return true, a.second(t.replied(q.ID + "#" + q.Address))
	}
	record, err := a.record(q)
	if err != nil {
		return true, err
	}
	r.append(record)
	delete(t.open, q.Address)
	if t.given == nil {
		t.given = map[string]*reply{}
	}
	text, _ := record.Get("value")
	t.given[q.ID+"#"+q.Address] = &reply{value: text, by: by}

	return true, t.w.Sync()
}

// replied is the answer that this process has taken to a question; nil if it has taken none.
func (t *tape) replied(question string) *reply {
	for name, given := range t.given {
		if id, _, _ := strings.Cut(name, "#"); name == question || id == question {
			return given
		}
	}
	if t.past != nil {
		return t.past.given(question)
	}

	return nil
}
