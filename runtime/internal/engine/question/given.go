package question

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Given is an answer that a person has given.
type Given struct {
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

// findQuestion returns the open question that the answer names.
func (a Given) findQuestion(open []runtime.OpenQuestion) (found runtime.OpenQuestion, err error) {
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
func (a Given) checkValue(q runtime.OpenQuestion) (value string, err error) {
	refused := &runtime.AnswerError{Run: a.Run, Question: a.Question, Answer: a.Value, Form: q.Form()}
	value, ok := q.Choose(a.Value)
	if !ok {
		refused.Choices = q.Choices
		return "", refused
	}
	if q.Check != nil {
		refused.Err = q.Check(value)
	}
	if refused.Err != nil {
		return "", refused
	}

	return value, nil
}

// NewRecord returns the record of the answer, and the open question that it answers. first is the
// answer that the question has already; nil without one.
func (a Given) NewRecord(open []runtime.OpenQuestion, first *replay.Answer) (q runtime.OpenQuestion, r journal.Record, err error) {
	q, value, err := a.chooseQuestion(open)
	switch {
	case first != nil && errs.Has(err, "UnknownQuestionError"):
		return q, r, AnsweredError(a.Run, a.Question, first.Value, first.By)
	case err != nil:
		return q, r, err
	}

	r = AnswerRecord(q.Address, q.ID, value, a.By)
	if a.StayPaused {
		r.Fields = append(r.Fields, journal.Field{Name: FieldStayPaused, Value: "true"})
	}

	return q, r, nil
}

// Find returns the open question of a run that an answer names, and the answer as the run
// takes it. Errors: *UnknownQuestionError, *runtime.AnswerError.
func Find(run, question, answer string, open []runtime.OpenQuestion) (found runtime.OpenQuestion, value string, err error) {
	return Given{Run: run, Question: question, Value: answer}.chooseQuestion(open)
}

// chooseQuestion returns the open question that the answer names, and the answer as the run takes
// it, if the person may give it.
func (a Given) chooseQuestion(open []runtime.OpenQuestion) (found runtime.OpenQuestion, value string, err error) {
	found, err = a.findQuestion(open)
	if err != nil {
		return found, "", err
	}
	if a.Permit != nil {
		if err := a.Permit(found.ID); err != nil {
			return found, "", err
		}
	}
	value, err = a.checkValue(found)

	return found, value, err
}

// FieldStayPaused is the field of an answer, and of the end of a fork, with which servers leave the
// run paused.
const FieldStayPaused = "stay_paused"

// AnswerRecord returns the record of an answer.
func AnswerRecord(address, question, value, by string) journal.Record {
	return journal.Record{
		Type: journal.Answer, Address: address, Name: question, Fields: field.Optional("value", value, "by", by),
	}
}
