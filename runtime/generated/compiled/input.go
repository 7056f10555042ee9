package compiled

import (
	"encoding/json"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// Input describes the input of a workflow with an input_schema at compile time. It must not be changed.
type Input struct {
	// Schema is the JSON Schema of the input.
	Schema string
	// Check returns what is wrong with an input, as a *ValueError; nil if it is valid.
	Check func(input json.RawMessage) error
}

// Read returns the JSON of an input: the text itself, or the text as a string if only that is valid. The error is a *ValueError.
func (i *Input) Read(text string) (json.RawMessage, error) {
	given := json.RawMessage(text)
	err := i.Check(given)
	if err == nil {
		return given, nil
	}
	quoted := json.RawMessage(jsontext.Append(nil, text))
	if i.Check(quoted) == nil {
		return quoted, nil
	}

	return nil, err
}

// CheckInput returns what is wrong with the input of a run, as an *InputError; nil if the agent takes it.
func (a *Agent) CheckInput(text string) error {
	if a.Input == nil {
		return nil
	}
	if _, err := a.Input.Read(text); err != nil {
		return &InputError{Agent: a.Name, Err: err}
	}

	return nil
}

// InputError means that a workflow cannot start with its input.
type InputError struct {
	Agent string
	// Err is the reason: a *ValueError.
	Err error
}

func (e *InputError) Error() string { return fmt.Sprintf("the input of %q: %v", e.Agent, e.Err) }

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*InputError) ErrorType() string { return "InputError" }

// Unwrap returns what is wrong with the input.
func (e *InputError) Unwrap() error { return e.Err }

// inputText returns the text of an input that Go gives: a text itself, anything else as JSON.
func inputText(agent string, input any) (string, error) {
	if text, isText := input.(string); isText {
		return text, nil
	}
	text, err := json.Marshal(input)
	if err != nil {
		return "", &InputError{Agent: agent, Err: err}
	}

	return string(text), nil
}
