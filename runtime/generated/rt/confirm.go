package rt

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
)

// confirmCall asks a person whether a call may run.
func (l *loop) confirmCall(call runtime.ToolCall) (allowed bool, err error) {
	question := runtime.Question{
		ID: call.Tool.Name, Agent: l.spec.Agent, Choices: []string{"yes", "no"},
		Prompt: fmt.Sprintf("May agent %s call %s with %s?", l.spec.Agent, call.Tool.Name, call.Args),
	}
	if ask := call.Tool.Question; ask != nil {
		question.Prompt = fmt.Sprintf("%s\nAgent %s calls %s with %s", ask(call.Args), l.spec.Agent, call.Tool.Name, call.Args)
	}
	answer, err := l.fx.Ask(question)
	if err != nil {
		return false, err
	}
	choice, _ := question.Choose(answer.Value)

	return choice == "yes", nil
}

// QuestionPart is a part of a question: a text, or an argument of the call.
type QuestionPart struct {
	Text string
	// Path are the names of the argument and of the fields within it that lead to the value.
	// Defaults have, for each of them, the JSON of its default, "" without one; nil: there are
	// none.
	Path, Defaults []string
}

// Question returns what writes a question about a call from its arguments. A text of one line is
// shown as it is, any other text in quotes with escapes, so that it cannot be taken for a line of
// the question; other values are shown as JSON, and one that is missing as (not given).
func Question(parts []QuestionPart) func(args json.RawMessage) string {
	return func(args json.RawMessage) string {
		var b strings.Builder
		for _, part := range parts {
			b.WriteString(part.Text)
			if len(part.Path) > 0 {
				b.WriteString(part.valueIn(args))
			}
		}

		return b.String()
	}
}

// valueIn is the value of the argument as a person sees it.
func (p QuestionPart) valueIn(args json.RawMessage) string {
	const missing = "(not given)"
	v, err := parseValue(string(args))
	for i, name := range p.Path {
		if err != nil || v.kind != valueObject {
			return missing
		}
		var defaults []string
		if p.Defaults != nil && p.Defaults[i] != "" {
			defaults = []string{name, p.Defaults[i]}
		}
		var found *JSON
		for member, value := range v.Members(defaults...) {
			if member == name {
				found = value
			}
		}
		if found == nil {
			return missing
		}
		v = found
	}
	switch {
	case err != nil || v.IsNull():
		return missing
	case v.kind != valueText:
		return v.Literal()
	}
	text := v.Text()
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) || strings.TrimSpace(text) == "" {
		return strconv.Quote(text)
	}

	return text
}
