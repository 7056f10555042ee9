package core

import (
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// failure is an attempt of a turn that has failed, as it is recorded: so that an export has it, too, and a run that is played from that
// takes the same way.
type failure struct {
	// Model is what was asked, Next what was asked instead; "" where that was the same again, or nothing.
	Model string       `json:"model,omitempty"`
	Next  string       `json:"next,omitempty"`
	Error *errorNode   `json:"error"`
	Usage *model.Usage `json:"usage,omitempty"`
	Cost  int64        `json:"cost,omitempty"`
}

// lose keeps an attempt that has failed, and what it has spent all the same.
func (t *modelTurn) lose(request *model.Request, reply *model.Reply, err error) {
	if t.run.tape == nil {
		return
	}
	lost := failure{Error: nodeOf(err), Cost: reply.Cost}
	if request.Model != nil {
		lost.Model = request.Model.Name
	}
	if usage := reply.Usage; usage != (model.Usage{}) {
		lost.Usage = &usage
	}
	t.lost = append(t.lost, lost)
}

// failures are the attempts of a turn that have failed, as a field of its result. One alone that has failed for good is the result, but for
// what it has spent.
func (t *modelTurn) failures() string {
	if len(t.lost) == 0 || t.tries == 1 && t.failed == (spending{}) {
		return ""
	}
	text, err := json.Marshal(t.lost)
	if err != nil {
		return "" // of what went wrong the count is left
	}

	return string(text)
}

// failuresOf are the attempts of a turn that have failed; none where the result does not say.
func failuresOf(r *journal.Record) []failure {
	var lost []failure
	if err := json.Unmarshal([]byte(field(r, "failures")), &lost); err != nil {
		return nil
	}
	for i := range lost {
		if lost[i].Error == nil || lost[i].Error.error() == nil {
			return nil
		}
	}

	return lost
}

// exportFailures records the attempts of a turn that have failed, and says which model was asked after them.
func (t *modelTurn) exportFailures(request *model.Request, lost []failure) {
	for _, attempt := range lost {
		request.Model = named(request.Model, attempt.Model)
		reply := model.Reply{Cost: attempt.Cost}
		if attempt.Usage != nil {
			reply.Usage = *attempt.Usage
		}
		t.run.recorder.Record(t.Address(), request, reply, attempt.Error.error())
		request.Model = named(request.Model, attempt.Next)
	}
}

// named is a choice with another name; itself without one.
func named(choice *model.Choice, name string) *model.Choice {
	if name == "" {
		return choice
	}
	other := *choice
	other.Name = name

	return &other
}
