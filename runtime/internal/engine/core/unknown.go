package core

import (
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventtext"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// What a tool says of an unknown outcome.
const (
	onUnknownRetry = "retry"
	onUnknownFail  = "fail"
)

// decideUnknown says what becomes of an effect that an earlier process had begun: the answer again, skip or done VALUE. An error ends the
// run.
func (f *Effects) decideUnknown(in *intent, was *recordedEffect, address string) (answer string, err error) {
	if !was.isOutcomeUnknown(in) {
		return unknown.Again, nil
	}
	given := was.answers[unknown.Question(in.what)]
	switch {
	case given.validate(eventtext.UnknownQuestion(f.unknownEffect(in, address))) == nil:
		answer = given.value
	case in.onUnknown == onUnknownRetry:
		answer = unknown.Again
	case in.onUnknown == onUnknownFail:
		answer = unknown.Fail
	default:
		if answer, err = f.askUnknown(in, address); err != nil {
			return "", err
		}
	}
	if answer == unknown.Fail {
		return "", &UnknownOutcomeError{Run: f.run.id, Address: address, Kind: in.kind, Name: in.what}
	}

	return answer, nil
}

// askUnknown asks a person what becomes of an effect, at its own address. The answer is recorded before anything is done about it.
func (f *Effects) askUnknown(in *intent, address string) (string, error) {
	q := eventtext.UnknownQuestion(f.unknownEffect(in, address))
	e := &askEffect{basic: basic{f}, question: q}
	err := f.runNow(e)
	answer := e.answer
	if cause := f.run.stopped(); cause != nil {
		return "", cause
	}
	if err == nil {
		if problem := q.Check(answer.Value); problem != nil { // a script, or an Asker, may not have looked
			err = &runtime.AnswerError{Run: f.run.id, Question: q.ID, Answer: answer.Value, Err: problem}
		}
	}
	f.noteAnswer(q, answer, err)
	if err != nil {
		return "", err
	}
	f.run.append(answerRecord(address, q.ID, answer.Value, answer.By))

	return answer.Value, nil
}

// unknownEffect is an effect as a person is asked about it.
func (f *Effects) unknownEffect(in *intent, address string) *event.UnknownEffect {
	of := &event.UnknownEffect{
		Kind: in.kind, Name: in.what, Agent: in.agent, Args: json.RawMessage(f.run.redactor().Text(string(in.args))), Address: address,
		Key: runtime.CallInfo{Run: f.run.id, Address: address}.IdempotencyKey(), Output: in.output, Check: in.check,
	}
	if in.kind == kindCall {
		of.Kind = unknown.Function
	}
	if h := f.run.journal.history; h != nil {
		of.Renewed = h.renewed(h.effects[address])
	}

	return of
}

// applyAnswer is what an effect reaches by an answer, if that says so: skip or done VALUE.
func (f *Effects) applyAnswer(e effect, in *intent, address, answer string) (ok bool, err error) {
	if answer == unknown.Skip {
		return true, e.(unrepeatable).skipUnknown()
	}
	value, isJSON, done, err := f.unknownEffect(in, address).Result(answer)
	if done && err == nil {
		e.(unrepeatable).setResult(f.run.redactor().Text(value), isJSON)
	}

	return done, err
}

func answerRecord(address, question, value, by string) journal.Record {
	return journal.Record{
		Type: journal.Answer, Address: address, Name: question, Fields: optionalFields("value", value, "by", by),
	}
}
