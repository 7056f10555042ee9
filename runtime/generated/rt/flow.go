package rt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
)

// exhaustedKey is the key of a flow that gave up, where that has a row.
const exhaustedKey = "exhausted"

// SaysDone reports whether a text begins with the word done in any case, perhaps after Markdown
// punctuation: a verdict in plain text that accepts.
func SaysDone(text string) bool {
	text = strings.TrimLeftFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("*_#`\"'>", r)
	})
	rest, ok := cutFolded(text, implicitKey)
	next, _ := utf8.DecodeRuneInString(rest)

	return ok && !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// Flow is an agent that runs other agents and steps, by its name. Its methods are what generated
// code does on behalf of the agent.
type Flow string

// Done returns the end of a flow with key done and the value of f.
func (agent Flow) Done(fx runtime.Effects, f runtime.Finish) (runtime.Finish, error) {
	return agent.noteFinish(fx, implicitKey, f), nil
}

// Pass returns the end of a flow with f, its key included.
func (agent Flow) Pass(fx runtime.Effects, f runtime.Finish) (runtime.Finish, error) {
	noteFinish(fx, string(agent), &f)

	return f, nil
}

// Exhausted returns the end of a flow whose attempts are used up and whose last result f is good
// enough: its key is exhausted if that has a transition, else done.
func (agent Flow) Exhausted(fx runtime.Effects, at []Place, f runtime.Finish) (runtime.Finish, error) {
	if placeOf(at).Routes(exhaustedKey) {
		return agent.noteFinish(fx, exhaustedKey, f), nil
	}

	return agent.Done(fx, f)
}

// Unfinished returns the end of a flow whose cycles are used up and whose last result f was
// refused: with key exhausted if that has a transition, else as *CycleLimitError. feedback is the
// reason for the refusal.
func (agent Flow) Unfinished(
	fx runtime.Effects, at []Place, f runtime.Finish, cycles int, feedback string,
) (runtime.Finish, error) {
	if placeOf(at).Routes(exhaustedKey) {
		return agent.noteFinish(fx, exhaustedKey, f), nil
	}
	err := &runtime.CycleLimitError{Agent: string(agent), Cycles: cycles, Feedback: feedback}
	noteError(fx, string(agent), err)

	return runtime.Finish{}, err
}

func (agent Flow) noteFinish(fx runtime.Effects, key string, f runtime.Finish) runtime.Finish {
	f = runtime.Finish{Key: key, Value: f.Value, JSON: f.JSON}
	noteFinish(fx, string(agent), &f)

	return f
}
