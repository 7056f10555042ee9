package rt

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime"
)

// AskPerson asks a person what an agent's own conversation has worded: the value is the question, the key the channel
// by which to ask, unless it is done. Errors: *PausedError, and whatever the engine ends the run with.
func AskPerson(fx runtime.Effects, agent string, question runtime.Finish) (runtime.Answer, error) {
	q := runtime.Question{ID: agent, Agent: agent, Prompt: question.Value}
	if !question.Is(implicitKey) {
		q.Channel = strings.TrimSpace(question.Key)
	}
	answer, err := fx.Ask(q)
	if err != nil {
		noteError(fx, agent, err)
	}

	return answer, err
}
