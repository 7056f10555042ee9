package rt

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime"
)

// Ask asks a person the question that an agent's own conversation has written: the value is the
// question, and the key the channel by which to ask, unless it is done. Errors: *PausedError, and
// errors with which the engine ends the run.
func (agent Flow) Ask(fx runtime.Effects, question runtime.Finish) (runtime.Answer, error) {
	q := runtime.Question{ID: string(agent), Agent: string(agent), Prompt: question.Value}
	if !question.Is(implicitKey) {
		q.Channel = strings.TrimSpace(question.Key)
	}
	answer, err := fx.Ask(q)
	if err != nil {
		noteError(fx, string(agent), err)
	}

	return answer, err
}
