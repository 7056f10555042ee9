package core

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Ask asks a person: the script answers if it has answers for the question, else the Asker; without
// one the run pauses. In a branch the question's id ends in @ and the branch's number.
func (f *Effects) Ask(q runtime.Question) (runtime.Answer, error) {
	if err := f.beginEffect(); err != nil {
		return runtime.Answer{}, err
	}
	if f.parent != nil {
		q.ID += "@" + strconv.Itoa(f.at.Branch())
	}
	e := &askEffect{basic: basic{f}, question: q}
	err := f.newExecution(e).execute()
	if cause := f.run.stopped(); cause != nil {
		return runtime.Answer{}, cause
	}
	if f.Watched() {
		e.noteAnswer(err)
	}
	if err != nil {
		return runtime.Answer{}, err
	}

	return e.answer, nil
}

// askEffect is a question to a person.
type askEffect struct {
	basic
	question runtime.Question
	answer   runtime.Answer
	// late is the error of a step whose time is over before that of the question; nil without one.
	late error
}

// recordedQuestion is a question as it is recorded.
type recordedQuestion struct {
	ID      string   `json:"id"`
	Agent   string   `json:"agent,omitempty"`
	Prompt  string   `json:"prompt"`
	Channel string   `json:"channel,omitempty"`
	Choices []string `json:"choices,omitempty"`
	Schema  string   `json:"schema,omitempty"`
	// Due is when the time of the question is over, and Timer reports whether no person is asked.
	Due   time.Time `json:"due,omitzero"`
	Timer bool      `json:"timer,omitempty"`
}

func (e *askEffect) intent() *intent {
	q := &e.question
	text := digestOf(q.Prompt) // before the time of a timer is a part of it
	shape := digestOf(replay.KindAsk, q.ID, q.Schema)
	for _, choice := range q.Choices {
		shape = shape.add(choice)
	}
	e.setDue()
	args := field.JSON(recordedQuestion{q.ID, q.Agent, q.Prompt, q.Channel, q.Choices, q.Schema, q.Due, q.IsTimer})

	return &intent{
		kind: replay.KindAsk, what: q.ID, shape: shape, text: text,
		fields: []journal.Field{{Name: "args", Value: args}}, ask: q,
	}
}

// admit checks that there is time for the question. Waiting for a person takes none.
func (e *askEffect) admit() error { return e.fx.scope.CheckTime() }

// runInEngine takes the answer that was given while no process had the run, or a script's answer.
func (e *askEffect) runInEngine() (ok bool, err error) {
	e.setDue() // without a journal there is no intent that has done so
	if recorded := e.fx.run.journal.recordedAt(e.fx.Address()).AnswerTo(e.question.ID); recorded != nil {
		problem := recorded.Validate(e.question)
		if problem == nil {
			e.skipRecorded(nil)
			e.answer = runtime.Answer{Value: recorded.Value, By: recorded.By}

			return true, nil
		}
		e.question.Prompt = fmt.Sprintf("The answer %q does not fit: %v.\n%s", recorded.Value, problem, e.question.Prompt)
	}

	ok, err = e.askScripts()
	if ok || err != nil || !e.isOverdue() {
		return ok, err
	}

	return true, e.timeOut()
}

func (e *askEffect) askScripts() (ok bool, err error) {
	for _, player := range e.fx.run.players() {
		e.answer, ok, err = player.Ask(e.question, e.fx.at.Path())
		if errors.Is(err, script.ErrTimeout) {
			err = e.timeOut()
		}
		if ok || err != nil {
			return ok, err
		}
	}

	return false, nil
}

func (e *askEffect) skipRecorded(*journal.Record) { _, _ = e.askScripts() }

// runOnHost has the host ask; the observer is notified of a question that waits.
func (e *askEffect) runOnHost() (err error) {
	e.answer, err = e.fx.host.Ask(e.fx.scope.EffectContext(), e.fx.callInfoNow(), e.question, func() { e.fx.notePause(e.question) })
	if err != nil {
		return e.timeoutOr(err)
	}

	return nil
}

func (e *askEffect) runInProcess() error {
	q, asker := e.question, e.fx.run.engine.config.Asker
	isShown := !q.IsTimer || e.fx.run.engine.config.AsksTimers
	switch {
	case q.IsTimer && !isShown && e.waitsHere():
		return e.waitUntilDue()
	case asker == nil || !isShown:
		return &runtime.PausedError{Question: q}
	}
	asked := &askedPerson{asker: asker, question: q}
	if err := e.fx.callUser(e.remaining(), usercode.Name{Kind: "the asker"}, false, asked); err != nil {
		return e.timeoutOr(err)
	}
	choice, ok := q.Choose(asked.answer.Value)
	if !ok {
		return fmt.Errorf("question %q: the answer %q is not one of %q", q.ID, asked.answer.Value, q.Choices)
	}
	e.answer = asked.answer
	e.answer.Value = choice

	return nil
}

// askedPerson is a question to a person, and the answer.
type askedPerson struct {
	asker    Asker
	question runtime.Question
	answer   runtime.Answer
}

// Run implements usercode.Code.
func (a *askedPerson) Run(ctx context.Context) (err error) {
	a.answer, err = a.asker.Ask(ctx, a.question)

	return err
}

// finish adds a question without an answer to those that the run waits for. An observer that is
// notified of it can find it.
func (e *askEffect) finish(err error) error {
	var paused *runtime.PausedError
	if !errors.As(err, &paused) {
		return err
	}
	paused.Run = e.fx.run.id
	if e.fx.run.journal == nil {
		return paused
	}
	if err := e.fx.run.syncJournal(); err != nil {
		return err
	}
	e.fx.run.journal.questions.Add(e.fx.Address(), paused.Question)

	return paused
}

func (e *askEffect) resultFields() []journal.Field {
	return field.Optional("value", e.answer.Value, "by", e.answer.By)
}

func (e *askEffect) readResult(r *journal.Record) error {
	e.answer = runtime.Answer{Value: r.Value("value"), By: r.Value("by")}

	return nil
}

// noteAnswer notifies the observer of the answer, or that the run has to wait for it: an Asker may
// not reach a person either.
func (e *askEffect) noteAnswer(err error) {
	var paused *runtime.PausedError
	switch {
	case err == nil:
		e.fx.note(&event.Event{Kind: event.Answer, Agent: e.question.Agent, Name: e.question.ID, Value: e.answer.Value}, Detail{})
	case errors.As(err, &paused):
		e.fx.notePause(paused.Question)
	}
}

// Questions returns the questions that a paused run waits for, in the order of its branches; nil if
// the error is not a pause, or has an error that is not one.
func Questions(err error) []runtime.Question {
	switch err := err.(type) {
	case *runtime.PausedError:
		return []runtime.Question{err.Question}
	case interface{ Unwrap() []error }:
		var all []runtime.Question
		for _, one := range err.Unwrap() {
			questions := Questions(one)
			if questions == nil {
				return nil
			}
			all = append(all, questions...)
		}

		return all
	case interface{ Unwrap() error }:
		return Questions(err.Unwrap())
	case interface{ As(target any) bool }: // it was recorded
		var paused *runtime.PausedError
		if err.As(&paused) {
			return []runtime.Question{paused.Question}
		}
	}

	return nil
}
