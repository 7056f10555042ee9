package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/servers/client"
)

// inputRequired is the first version of the protocol with results that ask the client's user.
const inputRequired = "2026-07-28"

// canElicit reports whether the client asks its user when a result says so: by its version of the protocol, and its capability for forms.
func (c call) canElicit() bool {
	can := c.request.ClientCapabilities()
	if can == nil || can.Elicitation == nil || c.request.ProtocolVersion() < inputRequired {
		return false
	}

	return can.Elicitation.Form != nil || can.Elicitation.URL == nil
}

// needsInput is a result that asks the client's user, and has the client call again with the answers.
type needsInput struct {
	requests sdk.InputRequestMap
	// run is the state that the client sends back. It gives no right: who sends it has to be one who may answer the run.
	run string
}

func (*needsInput) Error() string { return "the run waits for an answer" }

// inputFor asks for answers to the open questions of a run. problems are what was wrong with the
// given answers, by name.
func inputFor(shown *client.Run, problems map[string]string) *needsInput {
	n := &needsInput{run: shown.ID, requests: sdk.InputRequestMap{}}
	for _, q := range shown.Questions {
		name := q.Name(shown.Questions)
		message := q.Prompt
		if problem := problems[name]; problem != "" {
			message = problem + "\n\n" + message
		}
		n.requests[name] = &sdk.ElicitParams{Mode: "form", Message: message, RequestedSchema: formOf(q)}
	}

	return n
}

// The fields of a form: the answer and, of a call that has happened, its result.
const (
	answerField = "answer"
	resultField = "result"
)

// formOf is the form of a question. A form has plain fields only, so what is more than that is a text with JSON.
func formOf(q client.Question) map[string]any {
	field := map[string]any{"type": "string", "title": "Answer"}
	fields := map[string]any{answerField: field}
	kind := plainType(q)
	switch {
	case q.Effect != nil:
		field["enum"] = []string{unknown.Again, unknown.Skip, unknown.Fail, unknown.Done}
		fields[resultField] = map[string]any{"type": "string", "title": "Result", "description": "the result of the call, for the answer done"}
	case len(q.Choices) > 0:
		field["enum"] = q.Choices
	case kind != "":
		field["type"] = kind
	case len(q.Schema) > 0:
		field["description"] = "JSON that fits the schema " + string(q.Schema)
	}

	return map[string]any{"type": "object", "properties": fields, "required": []string{answerField}}
}

// plainType is the type of a question's schema if a form has it; "" otherwise.
func plainType(q client.Question) string {
	var schema struct {
		Type any `json:"type"`
	}
	_ = json.Unmarshal(q.Schema, &schema)
	kind, _ := schema.Type.(string)
	if slices.Contains([]string{"string", "number", "integer", "boolean"}, kind) {
		return kind
	}

	return ""
}

// takeAnswers records what the client's user has answered. answered reports whether the run goes on by that; problems are what was
// wrong with answers, by the name of the question.
func (s *Server) takeAnswers(ctx context.Context, c call, open *client.Run) (answered bool, problems map[string]string, err error) {
	problems = map[string]string{}
	for _, q := range open.Questions {
		name := q.Name(open.Questions)
		result, _ := c.request.Params.InputResponses[name].(*sdk.ElicitResult)
		if result == nil || result.Action != "accept" {
			continue
		}
		if _, ok := result.Content[answerField]; !ok {
			problems[name] = "The form lacks the field " + answerField + "."
			continue
		}
		err := s.answerQuestion(ctx, c, client.Reply{Run: open.ID, Question: q.ID, Address: q.Address, Value: answerOf(q, result.Content)})
		var unfit *runtime.AnswerError
		switch {
		case errors.As(err, &unfit):
			problems[name] = unfit.Error()
		case err != nil:
			return false, nil, err
		default:
			answered = true
		}
	}

	return answered, problems, nil
}

// answerOf is what a form says as runs take it: JSON where the question has a schema, else a text.
func answerOf(q client.Question, content map[string]any) client.AnswerValue {
	value := content[answerField]
	text, isText := value.(string)
	switch {
	case q.Effect != nil && text == unknown.Done:
		result, _ := content[resultField].(string)
		return client.AnswerValue(text + " " + result)
	case isText && (len(q.Schema) == 0 || plainType(q) == ""):
		return client.AnswerValue(text)
	}

	return client.AnswerValue(encodeJSON(value))
}
