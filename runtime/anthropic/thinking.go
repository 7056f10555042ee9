package anthropic

import (
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// thinking is what the model is asked about thinking before it answers. The zero value says nothing: what the model does then is its
// own way.
type thinking struct {
	// kind is adaptive, enabled or disabled; tokens bounds the thoughts of a turn that are enabled.
	kind   string
	tokens int
}

// leastThoughts is what the interface allows at least, in tokens.
const leastThoughts = 1024

// thinkingOf is what the environment says of it.
func thinkingOf(m model.Model, env func(string) (string, bool)) (thinking, error) {
	name := "AGENTC_PROVIDER_" + remote.VariableName(m.Provider) + "_THINKING"
	value, _ := env(name)
	switch value {
	case "":
		return thinking{}, nil
	case "adaptive":
		return thinking{kind: value}, nil
	case "off":
		return thinking{kind: "disabled"}, nil
	}
	tokens, err := strconv.Atoi(value)
	if err != nil || tokens < leastThoughts {
		return thinking{}, &runtime.BadSettingError{
			Name: name, Value: value, Problem: "is not adaptive, off, or a number of tokens from " + strconv.Itoa(leastThoughts) + " on",
		}
	}

	return thinking{kind: "enabled", tokens: tokens}, nil
}

// orDisabled returns what the model is asked if its settings ask for no reasoning: not to think.
func (t thinking) orDisabled(settings model.Settings) thinking {
	if settings.Reasoning != nil && *settings.Reasoning == "none" {
		return thinking{kind: "disabled"}
	}

	return t
}

// on reports whether the model is asked to think in a reply of so many tokens, of which the thoughts are a part.
func (t thinking) on(most int) bool {
	return t.kind == "adaptive" || t.kind == "enabled" && most > leastThoughts
}

// appendThinking writes what the model is asked.
func appendThinking(dst []byte, t thinking, most int) []byte {
	switch {
	case t.kind == "" || t.kind == "enabled" && !t.on(most):
		return dst
	case t.kind == "enabled":
		dst = append(dst, `,"thinking":{"type":"enabled","budget_tokens":`...)

		return append(strconv.AppendInt(dst, int64(min(t.tokens, most-1)), 10), '}')
	}

	return append(append(append(dst, `,"thinking":{"type":"`...), t.kind...), `"}`...)
}
