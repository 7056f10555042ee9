package core

import (
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventtext"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// What a tool specifies about an unknown outcome.
const (
	onUnknownRetry = "retry"
	onUnknownFail  = "fail"
)

// resolveUnknown decides about an effect that an earlier process had begun. resolved is false if
// the effect is carried out again. Otherwise its outcome has been recorded. The end of a step whose
// time is over is an outcome, too: no person is asked about the effect any longer.
func (x *execution) resolveUnknown() (resolved bool, err error) {
	answer, err := x.decideUnknown()
	if errs.Is[*errs.OvertimeError](err) {
		return true, x.writeOutcome(err)
	}
	if err != nil {
		return false, err
	}
	applied, err := x.applyAnswer(answer)
	if !applied {
		return false, nil
	}

	return true, x.writeOutcome(err)
}

// decideUnknown returns the answer to the question about an effect that an earlier process had
// begun: again, skip or done VALUE. An error ends the run.
func (x *execution) decideUnknown() (string, error) {
	in := x.intent
	if !x.prior.IsOutcomeUnknown(in.class) {
		return unknown.Again, nil
	}
	recorded := x.prior.Answers[unknown.Question(in.what)]
	isAnswered := recorded.Validate(eventtext.UnknownQuestion(x.unknownEffect())) == nil
	switch {
	case isAnswered && recorded.Value != unknown.Fail:
		return recorded.Value, nil
	case !isAnswered && in.onUnknown == onUnknownRetry:
		return unknown.Again, nil
	case !isAnswered && in.onUnknown != onUnknownFail:
		answer, err := x.askUnknown()
		if err != nil || answer != unknown.Fail {
			return answer, err
		}
	}

	return "", &UnknownOutcomeError{Run: x.fx.run.id, Address: x.address, Kind: in.kind, Name: in.what}
}

// askUnknown asks a person about the effect, at the effect's own address. The answer is recorded
// before anything is done about it.
func (x *execution) askUnknown() (string, error) {
	f := x.fx
	q := eventtext.UnknownQuestion(x.unknownEffect())
	e := &askEffect{basic: basic{f}, question: q}
	err := (&execution{fx: f, effect: e}).execute()
	answer := e.answer
	if cause := f.run.stopped(); cause != nil {
		return "", cause
	}
	if err == nil {
		if problem := q.Check(answer.Value); problem != nil { // a script, or an Asker, may not have checked it
			err = &runtime.AnswerError{Run: f.run.id, Question: q.ID, Answer: answer.Value, Err: problem}
		}
	}
	e.noteAnswer(err)
	if err != nil {
		return "", err
	}
	f.run.appendRecord(question.AnswerRecord(x.address, q.ID, answer.Value, answer.By))

	return answer.Value, nil
}

// unknownEffect is the effect in a question to a person.
func (x *execution) unknownEffect() *event.UnknownEffect {
	r, in := x.fx.run, x.intent
	asked := &event.UnknownEffect{
		Kind: in.kind, Name: in.what, Agent: in.agent, Args: json.RawMessage(r.redactor().Text(string(in.args))), Address: x.address,
		Key: runtime.CallInfo{Run: r.id, Address: x.address}.IdempotencyKey(), Output: in.output, Check: in.check,
	}
	if in.kind == replay.KindCall {
		asked.Kind = unknown.Function
	}
	if h := r.journal.history; h != nil {
		asked.Renewed = h.Renewed(h.Effects[x.address])
	}

	return asked
}

// applyAnswer gives the effect the result that an answer determines: skip or done VALUE. applied is
// false for any other answer.
func (x *execution) applyAnswer(answer string) (applied bool, err error) {
	if answer == unknown.Skip {
		return true, x.effect.(unrepeatable).skipUnknown()
	}
	value, isJSON, done, err := x.unknownEffect().Result(answer)
	if done && err == nil {
		x.effect.(unrepeatable).setResult(x.fx.run.redactor().Text(value), isJSON)
	}

	return done, err
}
