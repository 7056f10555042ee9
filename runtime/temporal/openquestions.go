package temporal

import (
	"context"
	"errors"
	"slices"

	"go.temporal.io/sdk/workflow"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// people are the questions of an execution.
type people struct {
	open []*open
	// answered are those that were, here or in earlier executions.
	answered []answered
}

// open is a question that waits.
type open struct {
	q       runtime.Question
	address string
	answer  *runtime.Answer
}

// mostAnswered bounds how many questions are remembered that earlier executions had answered.
const mostAnswered = 100

// answeredQuestions returns what the next execution needs of the questions that were answered.
func (p *people) answeredQuestions() []answered {
	return p.answered[max(len(p.answered)-mostAnswered, 0):]
}

// isCalled reports whether a name means the question of an id at an address.
func isCalled(id, address, name string) bool { return id == name || id+"#"+address == name }

// setHandlers lets the run receive answers, queries and signals.
func (r *run) setHandlers() error {
	r.sent = workflow.GetSignalChannel(r.ctx, signalName)
	workflow.GoNamed(r.ctx, "signals", r.receiveSignals)

	return errors.Join(
		workflow.SetQueryHandler(r.ctx, questionsQuery, func() ([]Question, error) { return r.openQuestions(), nil }),
		workflow.SetUpdateHandlerWithOptions(r.ctx, answerUpdate, r.acceptAnswer, workflow.UpdateHandlerOptions{
			Validator: r.validateAnswer, Description: "answers a question of the run",
		}))
}

// receive offers the signals that come, once there is a receiver. It waits without receiving, so that what has come and was
// not offered stays where it is seen: see Boundary.
func (r *run) receiveSignals(ctx workflow.Context) {
	for workflow.Await(ctx, func() bool { return r.acts && r.sent.Len() > 0 }) == nil {
		var s signals.Signal
		if r.sent.ReceiveAsync(&s) {
			r.signals.Send(s)
		}
	}
}

func (r *run) openQuestions() []Question {
	all := []Question{}
	for _, o := range r.people.open {
		all = append(all, Question{
			ID: o.q.ID, Address: o.address, Agent: o.q.Agent, Prompt: o.q.Prompt, Channel: o.q.Channel, Choices: o.q.Choices,
			Schema: o.q.Schema, Effect: o.q.Effect,
		})
	}

	return all
}

// validateAnswer refuses an answer that has no question, comes too late or does not fit. A refused
// answer leaves nothing in the history.
func (r *run) validateAnswer(_ workflow.Context, a answer) error {
	_, _, err := r.matchAnswer(a)

	return failureOf(err, 0)
}

// acceptAnswer gives an answer that fits to its question.
func (r *run) acceptAnswer(_ workflow.Context, a answer) error {
	to, value, err := r.matchAnswer(a)
	if err != nil {
		return failureOf(err, 0)
	}
	to.answer = &runtime.Answer{Value: value, By: a.By}
	r.people.answered = append(r.people.answered, answered{to.q.ID, to.address, value, a.By})

	return nil
}

// matchAnswer returns the question of an answer, and the answer as the run takes it.
func (r *run) matchAnswer(a answer) (to *open, value string, err error) {
	run := workflow.GetInfo(r.ctx).WorkflowExecution.ID
	var waiting []runtime.OpenQuestion
	for _, o := range r.people.open {
		if o.answer == nil {
			waiting = append(waiting, runtime.OpenQuestion{Question: o.q, Address: o.address})
		}
	}
	found, value, err := question.Find(run, a.Question, a.Value, waiting)
	if errs.Is[*question.UnknownQuestionError](err) {
		for _, was := range slices.Backward(r.people.answered) {
			if isCalled(was.Question, was.Address, a.Question) {
				err = question.AnsweredError(run, a.Question, was.Value, was.By)
				break
			}
		}
	}
	i := slices.IndexFunc(r.people.open, func(o *open) bool { return err == nil && o.address == found.Address && o.q.ID == found.ID })
	if i < 0 {
		return nil, "", err
	}

	return r.people.open[i], value, nil
}

// Ask implements core.Host: it waits until the update has come, even for years.
func (h *host) Ask(_ context.Context, at runtime.CallInfo, q runtime.Question, waits func()) (runtime.Answer, error) {
	o := &open{q: q, address: at.Address}
	p := &h.run.people
	p.open = append(p.open, o)
	defer func() { p.open = slices.DeleteFunc(p.open, func(other *open) bool { return other == o }) }()
	waits()
	isInTime, err := h.awaitAnswer(o)
	switch {
	case err != nil:
		return runtime.Answer{}, err
	case !isInTime:
		return runtime.Answer{}, &runtime.TimeoutError{What: "the answer", After: q.Timeout}
	}

	return *o.answer, nil
}

// awaitAnswer waits until the question has an answer, or no time left. With a script a timer does
// not wait.
func (h *host) awaitAnswer(o *open) (isInTime bool, err error) {
	isAnswered := func() bool { return o.answer != nil }
	if o.q.Due.IsZero() {
		return true, workflow.Await(h.currentContext(), isAnswered)
	}
	left := max(o.q.Due.Sub(h.run.clock.Now()), 0)
	if o.q.IsTimer && h.run.clock.leaps {
		h.run.clock.ahead += left

		return false, nil
	}

	return workflow.AwaitWithTimeout(h.currentContext(), left, isAnswered)
}
