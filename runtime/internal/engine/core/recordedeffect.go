package core

import (
	"errors"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/budget"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// recordedEffect is what a journal has of an address: an effect, what was reported after it, or the
// beginning of a branch. nil is an address of which the journal has nothing.
type recordedEffect struct {
	intent, result *journal.Record
	// intentNumber and resultNumber are the numbers of these records.
	intentNumber, resultNumber int
	// programText is the hash of the prompts with which the effect began.
	programText string
	// outlays are what earlier attempts at the effect have spent; what the one with the result has
	// spent is in the result.
	outlays []budget.Outlay
	// counted is an intent without a result, whose time is part of outlays.
	counted *journal.Record
	// dropped are results that do not count any more, since the effect is tried again.
	dropped []*journal.Record
	// answers are the answers of people at this address, by the question's id.
	answers map[string]*recordedAnswer
	// events were reported since the effect began, in order.
	events []*journal.Record
}

// hasBegun reports whether an effect was begun here, with or without a result.
func (p *recordedEffect) hasBegun() bool { return p != nil && (p.intent != nil || p.result != nil) }

// hasResult reports whether the effect has a result.
func (p *recordedEffect) hasResult() bool { return p != nil && p.result != nil }

// isInterrupted reports whether the effect was begun and has no result.
func (p *recordedEffect) isInterrupted() bool { return p != nil && p.intent != nil && p.result == nil }

// isOutcomeUnknown reports whether it is not known that the effect has happened, and it must not
// happen twice. Where a script was asked, as the recorded class shows, nothing has happened.
func (p *recordedEffect) isOutcomeUnknown(in *intent) bool {
	return in.class == classOnce && (p.intent == nil || p.intent.Value("class") == string(classOnce))
}

// isZeroSleep reports whether the effect was a sleep of no time, by which workflows notice a
// cancellation. Nothing is built on an error by such a sleep.
func (p *recordedEffect) isZeroSleep() bool {
	return p.intent != nil && p.intent.Name == kindSleep && p.intent.Value("what") == "0s"
}

// recordedEvents are the events that were reported since the effect began.
func (p *recordedEffect) recordedEvents() []*journal.Record {
	if p == nil {
		return nil
	}

	return p.events
}

// nameOf returns the name of the recorded agent, tool, function, guard or question; "" if no effect
// was begun.
func nameOf(p *recordedEffect) string {
	if p.intent == nil {
		return ""
	}

	return p.intent.Value("what")
}

// begin sets the intent of an effect that begins, or begins again.
func (p *recordedEffect) begin(number int, r *journal.Record, programText string) {
	if p.result != nil {
		p.reset()
	}
	p.intent, p.intentNumber, p.programText = r, number, programText
	p.events, p.answers = nil, nil
}

// reset has the effect tried again. What it has spent, and its result, are kept apart.
func (p *recordedEffect) reset() {
	p.dropResult()
	p.intent, p.result, p.events = nil, nil, nil
}

// recordedAnswer is the answer of a person.
type recordedAnswer struct {
	value, by string
	// number is the number of the record.
	number int
	// unchecked reports whether it was recorded without the program, which knows the allowed
	// values.
	unchecked bool
}

// errNoAnswer is the error of a question without an answer.
var errNoAnswer = errors.New("there is no answer")

// validate returns an error unless the answer, which may be nil, is an answer to a question.
func (a *recordedAnswer) validate(q runtime.Question) error {
	switch {
	case a == nil:
		return errNoAnswer
	case !a.unchecked || q.Check == nil:
		return nil
	}

	return q.Check(a.value)
}

// answerTo returns the answer to a question; nil if there is none.
func (p *recordedEffect) answerTo(question string) *recordedAnswer {
	if p == nil {
		return nil
	}

	return p.answers[question]
}

// keepAnswer keeps the first answer to a question. Another answer takes the place of one that was
// not checked, or that has failed the run.
func (p *recordedEffect) keepAnswer(question string, a *recordedAnswer) {
	if p.answers == nil {
		p.answers = map[string]*recordedAnswer{}
	}
	first := p.answers[question]
	if first == nil || first.unchecked || p.isFailAnswer(question, first) {
		p.answers[question] = a
	}
}

// isFailAnswer reports whether an answer has failed the run because the outcome of the effect is
// unknown.
func (p *recordedEffect) isFailAnswer(question string, a *recordedAnswer) bool {
	return a.value == unknown.Fail && question == unknown.Question(nameOf(p))
}

// dropFailAnswer drops the answer that has failed the run, if it was recorded before a record.
func (p *recordedEffect) dropFailAnswer(beforeNumber int) {
	question := unknown.Question(nameOf(p))
	a := p.answers[question]
	if a != nil && a.value == unknown.Fail && a.number < beforeNumber {
		delete(p.answers, question)
	}
}
