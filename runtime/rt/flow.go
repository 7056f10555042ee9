package rt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
)

// exhaustedKey is the key of a flow that gave up, where that has a row.
const exhaustedKey = "exhausted"

// SaysDone reports whether a text begins with the word done in any case, perhaps behind marks of Markdown: how a
// verdict in plain text accepts.
func SaysDone(text string) bool {
	text = strings.TrimLeftFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("*_#`\"'>", r)
	})
	rest, ok := cutFolded(text, implicitKey)
	next, _ := utf8.DecodeRuneInString(rest)

	return ok && !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// Done is the end of a flow with key done and the value of f.
func Done(fx runtime.Effects, agent string, f runtime.Finish) (runtime.Finish, error) {
	return finishFlow(fx, agent, implicitKey, f), nil
}

// Pass is the end of a flow with f, its key included.
func Pass(fx runtime.Effects, agent string, f runtime.Finish) (runtime.Finish, error) {
	noteFinish(fx, agent, f)

	return f, nil
}

// Exhausted is the end of a flow whose tries are used up and whose last result f will do: its key is exhausted where
// that has a row, else done.
func Exhausted(fx runtime.Effects, agent string, at []Place, f runtime.Finish) (runtime.Finish, error) {
	if placeOf(at).Routes(exhaustedKey) {
		return finishFlow(fx, agent, exhaustedKey, f), nil
	}

	return Done(fx, agent, f)
}

// Unfinished is the end of a flow whose cycles are used up and whose last result f has been refused: with key exhausted
// where that has a row, else as *CycleLimitError. feedback is why it was refused.
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
