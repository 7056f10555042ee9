package rt

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime"
)

// AskPerson asks a person the question that an agent's own conversation has written: the value is the question, and
// the key the channel by which to ask, unless it is done. Errors: *PausedError, and errors with which the engine ends
// the run.
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
