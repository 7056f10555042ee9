package core

import (
	"errors"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

// fallsBack reports whether another model is asked because this one has failed with err for good. What a model refuses to answer is not
// put to another: that would be a way around its refusal. Neither is a turn that has ended for a reason that no model can mend: the step's
// own time is up, the run is over, code has panicked.
func (t *modelTurn) fallsBack(m *openModel, err error) bool {
	if err == nil || m == nil || m.next == nil || t.stopped() != nil {
		return false
	}
	var failed *model.Error

	return errors.As(err, &failed) && failed.Class != model.Refused
}

// noteFallback tells that another model is asked now.
func (t *modelTurn) noteFallback(request model.Request, next *openModel, err error) {
	t.showsError(err)
	if t.Watched() {
		t.Note(event.Event{
			Kind: event.Retry, Agent: request.Agent, Count: t.tries, Problem: err.Error(), Name: next.choice.Name,
		})
	}
}
