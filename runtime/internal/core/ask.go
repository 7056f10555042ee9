package core

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// Ask asks a person: the script answers if it has answers for the question, else the Asker; without one the run pauses. In a
// branch the question's id ends in @ and the branch's number.
func (f *Effects) Ask(q runtime.Question) (runtime.Answer, error) {
	if err := f.next(); err != nil {
		return runtime.Answer{}, err
	}
	if f.parent != nil {
		q.ID += "@" + strconv.Itoa(f.branch)
	}
	var answer runtime.Answer
	var err error
	if f.run.journal == nil {
		answer, err = f.timedAsk(q)
	} else {
		answer, err = f.journalledAsk(q)
	}
	if cause := f.run.stopped(); cause != nil {
		return runtime.Answer{}, cause
	}
	if f.Watched() {
		f.noteAnswer(q, answer, err)
	}

	return answer, err
}

// journalledAsk is Ask in a run that has a journal: what was answered while no process had the run is there.
func (f *Effects) journalledAsk(q runtime.Question) (runtime.Answer, error) {
	in := askIntent(&q)
	in.skip = func(*journal.Record) { f.skipAnswer(q) }
	in.ask = &q
	answer, _, err := perform(f, in, askCodec, func() (runtime.Answer, error) {
		given := f.run.journal.reply(f.Address(), q.ID)
		misfit := given.misfit(q)
		if misfit == nil {
			f.skipAnswer(q)

			return runtime.Answer{Value: given.value, By: given.by}, nil
		}
		if given != nil {
			q.Prompt = fmt.Sprintf("The answer %q does not fit: %v.\n%s", given.value, misfit, q.Prompt)
		}

		return f.timedAsk(q)
	})

	return answer, err
}

// skipAnswer lets a script go on behind an answer that a person, or an earlier process, has given.
func (f *Effects) skipAnswer(q runtime.Question) {
	for _, player := range f.run.playing() {
		if _, ok, err := player.Ask(q, f.path()); ok || err != nil {
			return
		}
	}
}

// timedAsk asks, if there is time for that.
func (f *Effects) timedAsk(q runtime.Question) (runtime.Answer, error) {
	if err := f.afford(); err != nil {
		return runtime.Answer{}, err
	}
	answer, err := f.ask(q)
	var paused *runtime.PausedError
	if errors.As(err, &paused) {
		return answer, f.wait(paused)
	}

	return answer, err
}

// wait notes that the run waits for an answer. An observer that is notified can find the question.
func (f *Effects) wait(paused *runtime.PausedError) error {
	paused.Run = f.run.id
	if f.run.journal == nil {
		return paused
	}
	if err := f.run.settle(); err != nil {
		return err
	}
	f.run.journal.opens(f.Address(), paused.Question)

	return paused
}

// noteAnswer notifies the observer of an answer, or that the run has to wait for it: an Asker may find no person either.
func (f *Effects) noteAnswer(q runtime.Question, answer runtime.Answer, err error) {
	var paused *runtime.PausedError
	switch {
	case err == nil:
		f.Note(event.Event{Kind: event.Answer, Agent: q.Agent, Name: q.ID, Value: answer.Value})
	case errors.As(err, &paused):
		f.notePause(paused.Question)
	}
}

// notePause tells the observer that the run waits for an answer.
func (f *Effects) notePause(q runtime.Question) {
	f.Note(q.Pause())
}

func (f *Effects) ask(q runtime.Question) (runtime.Answer, error) {
	for _, player := range f.run.playing() {
		if answer, ok, err := player.Ask(q, f.path()); ok || err != nil {
			return answer, err
		}
	}
	if f.host != nil {
		return f.askHost(q)
	}
	if f.run.engine.config.Asker == nil {
		return runtime.Answer{}, &runtime.PausedError{Question: q}
	}

	return f.askPerson(q)
}

func (f *Effects) askPerson(q runtime.Question) (answer runtime.Answer, err error) {
	answer, err = within(f.userContext(), "the asker", func(ctx context.Context) (runtime.Answer, error) {
		return f.run.engine.config.Asker.Ask(ctx, q)
	})
	if err != nil {
		return runtime.Answer{}, err
	}
	choice, ok := q.Choose(answer.Value)
	if !ok {
		return runtime.Answer{}, fmt.Errorf("question %q: the answer %q is not one of %q", q.ID, answer.Value, q.Choices)
	}
	answer.Value = choice

	return answer, nil
}

// Questions returns what a paused run waits for, in the order of its branches. Without a question, or with any error that is
// no pause, a run is not paused: then there are none.
func Questions(err error) []runtime.Question {
	switch err := err.(type) {
	case *runtime.PausedError:
		return []runtime.Question{err.Question}
	case *recordedError:
		var paused *runtime.PausedError
		if err.As(&paused) {
			return []runtime.Question{paused.Question}
		}
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
	}

	return nil
}
