package core

import (
	"context"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Answer records the answer to a question of a run, which continues with it when it is resumed. The
// question is named by its id, or as ID#ADDRESS. by names the person who answers; "" if that is not
// known. Without a program (p is nil) the question is the one in the journal. Then the run checks
// the answer against the schema when it is resumed, and asks again if it does not fit.
//
// Errors, besides those of [Engine.Questions]: *runtime.AnswerError for an answer that does not fit,
// AnsweredError for a second one, *question.UnknownQuestionError, RunEndedError for a run that is
// done or was cancelled, journal.ErrRunLocked while another process works on the run.
func (e *Engine) Answer(ctx context.Context, p *compiled.Program, run, id, value, by string) error {
	return e.RecordAnswer(ctx, p, question.Given{Run: run, Question: id, Value: value, By: by})
}

// RecordAnswer is [Engine.Answer] with all properties of an answer.
func (e *Engine) RecordAnswer(ctx context.Context, p *compiled.Program, a question.Given) error {
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

// judgeAnswer checks an answer to a run that no process executes, and returns its record.
func (e *Engine) judgeAnswer(ctx context.Context, p *compiled.Program, h *replay.History, a question.Given) (journal.Record, error) {
	if h.IsClosed() && h.End.Name == replay.StatusCancelled && h.End.Value("error_type") == runtime.ErrorType(&runtime.CancelledError{}) {
		return journal.Record{}, cancelledError(a.Run, h.End.Value("error"))
	}
	open, err := e.openQuestions(ctx, p, a.Run, h)
	if err != nil {
		return journal.Record{}, err
	}
	given := h.NewestAnswer(a.Question)
	q, record, err := a.NewRecord(open, given)
	switch {
	case err != nil && given == nil && h.IsDone():
		err = RunEndedError(a.Run, replay.StatusDone)
	case p == nil && (q.Schema != "" || q.Effect != nil):
		record.Fields = append(record.Fields, journal.Field{Name: "unchecked", Value: "true"})
	}

	return record, err
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
func (r *run) takeAnswer(ctx context.Context, a question.Given) (taken bool, err error) {
	for {
		taken, next, err := r.journal.questions.Take(a, r.journal.history, r.recordNow)
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
