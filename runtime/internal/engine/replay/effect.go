package replay

import (
	"errors"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/budget"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Effect is what a journal has of an address: an effect, what was reported after it, or the
// beginning of a branch. nil is an address of which the journal has nothing.
type Effect struct {
	Intent, Result *journal.Record
	// intentNumber and resultNumber are the numbers of these records.
	intentNumber, resultNumber int
	// ProgramText is the hash of the prompts with which the effect began.
	ProgramText string
	// outlays are what earlier attempts at the effect have spent; what the one with the result has
	// spent is in the result.
	outlays []budget.Outlay
	// counted is an intent without a result, whose time is part of outlays.
	counted *journal.Record
	// Dropped are results that do not count any more, since the effect is tried again.
	Dropped []*journal.Record
	// Answers are the answers of people at this address, by the question's id.
	Answers map[string]*Answer
	// Events were reported since the effect began, in order.
	Events []*journal.Record
}

// HasBegun reports whether an effect was begun here, with or without a result.
func (p *Effect) HasBegun() bool { return p != nil && (p.Intent != nil || p.Result != nil) }

// HasResult reports whether the effect has a result.
func (p *Effect) HasResult() bool { return p != nil && p.Result != nil }

// IsInterrupted reports whether the effect was begun and has no result.
func (p *Effect) IsInterrupted() bool { return p != nil && p.Intent != nil && p.Result == nil }

// IsOutcomeUnknown reports whether it is not known that an effect of a class has happened, and it
// must not happen twice. Where a script was asked, as the recorded class shows, nothing has happened.
func (p *Effect) IsOutcomeUnknown(of Class) bool {
	return of == ClassOnce && (p.Intent == nil || p.Intent.Value("class") == string(ClassOnce))
}

// isZeroSleep reports whether the effect was a sleep of no time, by which workflows notice a
// cancellation. Nothing is built on an error by such a sleep.
func (p *Effect) isZeroSleep() bool {
	return p.Intent != nil && p.Intent.Name == KindSleep && p.Intent.Value("what") == "0s"
}

// recordedEvents are the events that were reported since the effect began.
func (p *Effect) recordedEvents() []*journal.Record {
	if p == nil {
		return nil
	}

	return p.Events
}

// nameOf returns the name of the recorded agent, tool, function, guard or question; "" if no effect
// was begun.
func nameOf(p *Effect) string {
	if p.Intent == nil {
		return ""
	}

	return p.Intent.Value("what")
}

// begin sets the intent of an effect that begins, or begins again.
func (p *Effect) begin(number int, r *journal.Record, programText string) {
	if p.Result != nil {
		p.reset()
	}
	p.Intent, p.intentNumber, p.ProgramText = r, number, programText
	p.Events, p.Answers = nil, nil
}

// reset has the effect tried again. What it has spent, and its result, are kept apart.
func (p *Effect) reset() {
	p.dropResult()
	p.Intent, p.Result, p.Events = nil, nil, nil
}

// Answer is the answer of a person.
type Answer struct {
	Value, By string
	// number is the number of the record.
	number int
	// unchecked reports whether it was recorded without the program, which knows the allowed
	// values.
	unchecked bool
}

// errNoAnswer is the error of a question without an answer.
var errNoAnswer = errors.New("there is no answer")

// Validate returns an error unless the answer, which may be nil, is an answer to a question.
func (a *Answer) Validate(q runtime.Question) error {
	switch {
	case a == nil:
		return errNoAnswer
	case !a.unchecked || q.Check == nil:
		return nil
	}

	return q.Check(a.Value)
}

// AnswerTo returns the answer to a question; nil if there is none.
func (p *Effect) AnswerTo(question string) *Answer {
	if p == nil {
		return nil
	}

	return p.Answers[question]
}

// keepAnswer keeps the first answer to a question. Another answer takes the place of one that was
// not checked, or that has failed the run.
func (p *Effect) keepAnswer(question string, a *Answer) {
	if p.Answers == nil {
		p.Answers = map[string]*Answer{}
	}
	first := p.Answers[question]
	if first == nil || first.unchecked || p.isFailAnswer(question, first) {
		p.Answers[question] = a
	}
}

// isFailAnswer reports whether an answer has failed the run because the outcome of the effect is
// unknown.
func (p *Effect) isFailAnswer(question string, a *Answer) bool {
	return a.Value == unknown.Fail && question == unknown.Question(nameOf(p))
}

// dropFailAnswer drops the answer that has failed the run, if it was recorded before a record.
func (p *Effect) dropFailAnswer(beforeNumber int) {
	question := unknown.Question(nameOf(p))
	a := p.Answers[question]
	if a != nil && a.Value == unknown.Fail && a.number < beforeNumber {
		delete(p.Answers, question)
	}
}
