package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// UnknownEffect is a call of a tool or a function that had begun when its run was interrupted. It
// is not known whether it has happened.
type UnknownEffect struct {
	// Kind is tool or function, Name its name, and Agent the agent that called it, if one did.
	Kind  string `json:"kind" doc:"tool or function"`
	Name  string `json:"name" doc:"the name of the tool or function"`
	Agent string `json:"agent,omitempty" doc:"the agent that called it"`
	// Args are the arguments without secrets, as JSON.
	Args    json.RawMessage `json:"args,omitempty" doc:"its arguments; secrets are redacted"`
	Address string          `json:"address" doc:"the address of the call in the run"`
	// Key is the idempotency key of the call.
	Key string `json:"idempotency_key" doc:"the idempotency key that the call was given"`
	// Renewed is when the process that began the call renewed its lease of the run last: it may
	// still be at work. Zero if the store has no leases, as that process has ended then, or if it
	// left the run in order.
	Renewed time.Time `json:"renewed,omitzero" doc:"when the process that began the call renewed its lease of the run last: it may still be at work; without it that process has ended"`
	// Output is the JSON Schema of the result; "" for text or, of a function, any JSON.
	Output string `json:"-"`
	// Check returns what is wrong with a result; nil if any result is valid.
	Check func(result json.RawMessage) error `json:"-"`
}

// Choose returns the answer that is meant, as it is recorded: done VALUE may also be written as
// {"done": VALUE}.
func (u *UnknownEffect) Choose(answer string) (choice string, ok bool) {
	answer = strings.TrimLeft(answer, " \t\r\n")
	if value, ok := doneValue(answer); ok {
		if text := ""; u.Output == "" && u.Kind != unknown.Function && json.Unmarshal(value, &text) == nil {
			return unknown.Done + " " + text, true
		}

		return unknown.Done + " " + string(jsontext.Compact(nil, string(value))), true
	}
	if at := strings.IndexAny(answer, " \t\r\n"); at >= 0 && wording.Fold(answer[:at]) == unknown.Done {
		return unknown.Done + " " + answer[at+1:], true
	}
	folded := wording.Fold(answer)

	return folded, slices.Contains([]string{unknown.Again, unknown.Skip, unknown.Fail}, folded)
}

// doneValue is VALUE of an object {"done": VALUE}.
func doneValue(answer string) (value json.RawMessage, ok bool) {
	var object map[string]json.RawMessage
	if !strings.HasPrefix(answer, "{") || json.Unmarshal([]byte(answer), &object) != nil || len(object) != 1 {
		return nil, false
	}
	value, ok = object[unknown.Done]

	return value, ok
}

// CheckAnswer returns what is wrong with an answer that Choose has returned.
func (u *UnknownEffect) CheckAnswer(answer string) error {
	_, _, _, err := u.Result(answer)

	return err
}

// Result returns the result in an answer done VALUE; done is false for the other answers. VALUE is
// text, and isJSON false, for a tool without an output schema. Otherwise it is JSON that matches
// the schema, or text that matches it as a JSON string.
func (u *UnknownEffect) Result(answer string) (text string, isJSON, done bool, err error) {
	value, done := strings.CutPrefix(answer, unknown.Done+" ")
	if !done || u.Output == "" && u.Kind != unknown.Function {
		return value, false, done, nil
	}
	trimmed := strings.TrimSpace(value)
	problem := errors.New("it is not JSON")
	if json.Valid([]byte(trimmed)) {
		problem = u.checkResult(trimmed)
		if problem == nil {
			return trimmed, true, true, nil
		}
	}
	quoted := string(jsontext.Append(nil, value))
	if u.checkResult(quoted) == nil {
		return quoted, true, true, nil
	}

	return "", true, true, fmt.Errorf("VALUE in done VALUE is not a result of %s %q: %w", u.Kind, u.Name, problem)
}

func (u *UnknownEffect) checkResult(value string) error {
	if u.Check == nil {
		return nil
	}

	return u.Check([]byte(value))
}
