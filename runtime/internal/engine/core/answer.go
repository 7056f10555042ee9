package core

import (
	"context"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"

	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Answer records the answer to a question of a run, which continues with it when it is resumed. The
// question is named by its id, or as ID#ADDRESS. by says who answers; "" if that is not known.
// Without a program (p is nil) the journal alone says what the question is: whether the answer fits
// a schema is found out when the run is resumed, which asks again if it does not.
//
// Errors, beside those of [Engine.Questions]: *AnswerError for an answer that does not fit,
// AnsweredError for a second one, *UnknownQuestionError, RunEndedError for a run that is done or
// was cancelled, journal.ErrRunLocked while another process works on the run.
func (e *Engine) Answer(ctx context.Context, p *compiled.Program, run, question, value, by string) error {
	return e.RecordAnswer(ctx, p, GivenAnswer{Run: run, Question: question, Value: value, By: by})
}

// RecordAnswer is [Engine.Answer] with all properties of an answer.
func (e *Engine) RecordAnswer(ctx context.Context, p *compiled.Program, a GivenAnswer) error {
	if r := e.runningHere(a.Run); r != nil {
		if taken, err := r.takeAnswer(ctx, a); taken || err != nil {
			return err
		}
	}
	j, w, err := e.openJournal(ctx, a.Run)
	if err != nil {
		return err
	}
	record, err := e.judgeAnswer(ctx, p, replay.ReadResumable(j), a)
	if err == nil {
		record.Time = e.config.Clock.Now().UTC()
		w.Append(record)
	}

	return joinErrors(err, w.Close())
}

// NotResumed wraps the error of a run that was not resumed after its answer was recorded.
func NotResumed(err error) error {
	return fmt.Errorf("the answer is recorded, but the run is not resumed: %w", err)
}

// GivenAnswer is an answer of a person.
type GivenAnswer struct {
	// Run is the run that asks, and Question the question's id, or ID#ADDRESS.
	Run, Question string
	// Value is the answer, and By the name of the person; "" if it is not known.
	Value, By string
	// StayPaused has servers leave the run paused, although all its questions are answered, until
	// it is resumed by a request.
	StayPaused bool
	// Permit returns why the person may not answer the question with an id; nil: the person may
	// answer each.
	Permit func(question string) error
}

// judgeAnswer checks an answer to a run that no process executes, and returns its record.
func (e *Engine) judgeAnswer(ctx context.Context, p *compiled.Program, h *replay.History, a GivenAnswer) (journal.Record, error) {
	if h.IsClosed() && h.End.Name == replay.StatusCancelled && h.End.Value("error_type") == runtime.ErrorType(&runtime.CancelledError{}) {
		return journal.Record{}, cancelledError(a.Run, h.End.Value("error"))
	}
	open, err := e.openQuestions(ctx, p, a.Run, h)
	if err != nil {
		return journal.Record{}, err
	}
	given := h.NewestAnswer(a.Question)
	q, record, err := a.newRecord(open, given)
	switch {
	case err != nil && given == nil && h.IsDone():
		err = RunEndedError(a.Run, replay.StatusDone)
	case p == nil && (q.Schema != "" || q.Effect != nil):
		record.Fields = append(record.Fields, journal.Field{Name: "unchecked", Value: "true"})
	}

	return record, err
}

// findQuestion returns the open question that the answer names.
func (a GivenAnswer) findQuestion(open []runtime.OpenQuestion) (found runtime.OpenQuestion, err error) {
	matches := 0
	unknown := &UnknownQuestionError{Run: a.Run, Question: a.Question}
	for _, q := range open {
		if q.ID == a.Question || q.ID+"#"+q.Address == a.Question {
			found = q
			matches++
		}
		unknown.Open = append(unknown.Open, q.Name(open))
	}
	if matches != 1 {
		return runtime.OpenQuestion{}, unknown
	}

	return found, nil
}

// checkValue returns the answer as runs take it. The error is a *runtime.AnswerError if the
// question does not allow it.
func (a GivenAnswer) checkValue(q runtime.OpenQuestion) (value string, err error) {
	refused := &runtime.AnswerError{Run: a.Run, Question: a.Question, Answer: a.Value, Form: q.Form()}
	value, ok := q.Choose(a.Value)
	if !ok {
		refused.Choices = q.Choices
		return "", refused
	}
	if q.Check != nil {
		if refused.Err = q.Check(value); refused.Err != nil {
			return "", refused
		}
	}

	return value, nil
}

// newRecord returns the record of the answer, and the open question that it answers. first is the
// answer that the question has already; nil without one.
func (a GivenAnswer) newRecord(open []runtime.OpenQuestion, first *replay.Answer) (q runtime.OpenQuestion, r journal.Record, err error) {
	q, value, err := a.chooseQuestion(open)
	switch {
	case first != nil && errs.Has(err, "UnknownQuestionError"):
		return q, r, AnsweredError(a.Run, a.Question, first.Value, first.By)
	case err != nil:
		return q, r, err
	}

	r = answerRecord(q.Address, q.ID, value, a.By)
	if a.StayPaused {
		r.Fields = append(r.Fields, journal.Field{Name: fieldStayPaused, Value: "true"})
	}

	return q, r, nil
}

// FindQuestion returns the open question of a run that an answer names, and the answer as the run
// takes it. Errors: *UnknownQuestionError, *runtime.AnswerError.
func FindQuestion(run, question, answer string, open []runtime.OpenQuestion) (found runtime.OpenQuestion, value string, err error) {
	return GivenAnswer{Run: run, Question: question, Value: answer}.chooseQuestion(open)
}

// chooseQuestion returns the open question that the answer names, and the answer as the run takes
// it, if the person may give it.
func (a GivenAnswer) chooseQuestion(open []runtime.OpenQuestion) (found runtime.OpenQuestion, value string, err error) {
	if found, err = a.findQuestion(open); err == nil && a.Permit != nil {
		err = a.Permit(found.ID)
	}
	if err == nil {
		value, err = a.checkValue(found)
	}

	return found, value, err
}

// runningHere returns the run with a name that this engine executes; nil if there is none.
func (e *Engine) runningHere(id string) *run {
	e.mu.Lock()
	defer e.mu.Unlock()

	return e.owned[id]
}

// takeAnswer gives an answer to a run that is under way. A run that was resumed may not have
// reached the question again: then takeAnswer waits for that. taken is false if the run has given
// its journal back.
func (r *run) takeAnswer(ctx context.Context, a GivenAnswer) (taken bool, err error) {
	for {
		taken, next, err := r.journal.questions.take(a, r.journal.history, r.recordNow)
		if taken {
			return true, err
		}
		select {
		case <-next:
		case <-r.journal.released:
			return false, nil
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// recordNow records something and waits until it is on the disk.
func (r *run) recordNow(record journal.Record) error {
	r.appendRecord(record)

	return r.journal.w.Sync()
}
