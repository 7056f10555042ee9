package rt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
)

// exhaustedKey is the key of a flow that gave up, where that has a row.
const exhaustedKey = "exhausted"

// SaysDone reports whether a text begins with the word done in any case, perhaps after Markdown punctuation: a
// verdict in plain text that accepts.
func SaysDone(text string) bool {
	text = strings.TrimLeftFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("*_#`\"'>", r)
	})
	rest, ok := cutFolded(text, implicitKey)
	next, _ := utf8.DecodeRuneInString(rest)

	return ok && !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// Done returns the end of a flow with key done and the value of f.
func Done(fx runtime.Effects, agent string, f runtime.Finish) (runtime.Finish, error) {
	return finishFlow(fx, agent, implicitKey, f), nil
}

// Pass returns the end of a flow with f, its key included.
func Pass(fx runtime.Effects, agent string, f runtime.Finish) (runtime.Finish, error) {
	noteFinish(fx, agent, f)

	return f, nil
}

// Exhausted returns the end of a flow whose attempts are used up and whose last result f is good enough: its key is
// exhausted if that has a transition, else done.
func Exhausted(fx runtime.Effects, agent string, at []Place, f runtime.Finish) (runtime.Finish, error) {
	if placeOf(at).Routes(exhaustedKey) {
		return finishFlow(fx, agent, exhaustedKey, f), nil
	}

	return Done(fx, agent, f)
}

// Unfinished returns the end of a flow whose cycles are used up and whose last result f was refused: with key
// exhausted if that has a transition, else as *CycleLimitError. feedback is the reason for the refusal.
func Unfinished(fx runtime.Effects, agent string, at []Place, f runtime.Finish, cycles int, feedback string) (runtime.Finish, error) {
	if placeOf(at).Routes(exhaustedKey) {
		return finishFlow(fx, agent, exhaustedKey, f), nil
	}
	err := &runtime.CycleLimitError{Agent: agent, Cycles: cycles, Feedback: feedback}
	noteError(fx, agent, err)

	return runtime.Finish{}, err
}

func finishFlow(fx runtime.Effects, agent, key string, f runtime.Finish) runtime.Finish {
	f = runtime.Finish{Key: key, Value: f.Value, JSON: f.JSON}
	noteFinish(fx, agent, f)

	return f
}
