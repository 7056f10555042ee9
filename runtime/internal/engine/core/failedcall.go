package core

import (
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime/internal/engine/errorcodec"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// failedCall is a failed call of a model, as it is recorded. An export has it too, so that a run
// that replays the export calls the same models.
type failedCall struct {
	// Model is the model that was called.
	Model string `json:"model,omitempty"`
	// Next is the model that was called instead; "" if the same one was called again, or none.
	Next  string           `json:"next,omitempty"`
	Error *errorcodec.Node `json:"error"`
	Usage *model.Usage     `json:"usage,omitempty"`
	Cost  int64            `json:"cost,omitempty"`
}

// addFailedCall adds a failed call and what it has used.
func (r *turnResult) addFailedCall(request *model.Request, err error) {
	failed := failedCall{Error: errorcodec.NodeOf(err), Cost: r.reply.Cost}
	if request.Model != nil {
		failed.Model = request.Model.Name
	}
	if usage := r.reply.Usage; usage != (model.Usage{}) {
		failed.Usage = &usage
	}
	r.failedCalls = append(r.failedCalls, failed)
}

// setFallback keeps the model that is called after the last failed call.
func (r *turnResult) setFallback(name string) {
	if last := len(r.failedCalls) - 1; last >= 0 {
		r.failedCalls[last].Next = name
	}
}

// failures are the failed calls of a turn as a field of its result. A single call that has failed
// permanently is the result itself, except for what it has used.
func (r *turnResult) failures() string {
	isResult := r.calls == 1 && r.failedSpending == (replay.Spending{})
	if len(r.failedCalls) == 0 || isResult {
		return ""
	}
	text, err := json.Marshal(r.failedCalls)
	if err != nil {
		return "" // the number of calls is recorded
	}

	return string(text)
}

// readFailedCalls returns the failed calls of a recorded turn; nil if its result does not have
// them.
func readFailedCalls(r *journal.Record) []failedCall {
	var failed []failedCall
	if err := json.Unmarshal([]byte(r.Value("failures")), &failed); err != nil {
		return nil
	}
	for i := range failed {
		if failed[i].Error == nil || failed[i].Error.Err() == nil {
			return nil
		}
	}

	return failed
}

// exportFailures records the failed calls of a turn. Afterwards the request is for the model that
// was called next.
func (t *modelTurn) exportFailures(request *model.Request, failed []failedCall) {
	for _, call := range failed {
		request.Model = withName(request.Model, call.Model)
		reply := model.Reply{Cost: call.Cost}
		if call.Usage != nil {
			reply.Usage = *call.Usage
		}
		t.fx.run.recorder.Record(t.fx.Address(), request, reply, call.Error.Err())
		request.Model = withName(request.Model, call.Next)
	}
}

// withName returns a choice with another name; the choice itself if the name is "".
func withName(choice *model.Choice, name string) *model.Choice {
	if name == "" {
		return choice
	}
	other := *choice
	other.Name = name

	return &other
}
