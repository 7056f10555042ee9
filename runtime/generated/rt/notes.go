package rt

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// noteError notifies the observer of the error with which an agent ends. A pause is no error: the
// engine notes it.
func noteError(fx runtime.Effects, agent string, err error) {
	if !fx.Watched() || errs.Is[*runtime.PausedError](err) {
		return
	}
	fx.Note(event.Event{Kind: event.Error, Agent: agent, Type: runtime.ErrorType(err), Problem: err.Error()})
}

// noteFinish notifies the observer of an agent's result.
func noteFinish(fx runtime.Effects, agent string, fin *runtime.Finish) {
	if !fx.Watched() {
		return
	}
	fx.Note(event.Event{Kind: event.Finish, Agent: agent, Key: fin.Key, Value: fin.Value, JSON: fin.JSON, Synthetic: fin.Synthetic})
}
