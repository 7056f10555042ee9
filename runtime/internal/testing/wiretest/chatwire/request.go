package chatwire

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// Request is a request for a completion.
type Request struct {
	Model         string          `json:"model"`
	Messages      []Message       `json:"messages"`
	Tools         []Tool          `json:"tools"`
	Temperature   *float64        `json:"temperature"`
	TopP          *float64        `json:"top_p"`
	TopK          *int            `json:"top_k"`
	Seed          *int            `json:"seed"`
	Stop          []string        `json:"stop"`
	Reasoning     string          `json:"reasoning_effort"`
	Verbosity     string          `json:"verbosity"`
	Parallel      *bool           `json:"parallel_tool_calls"`
	ServiceTier   string          `json:"service_tier"`
	MaxTokens     *int            `json:"max_tokens"`
	MaxCompletion *int            `json:"max_completion_tokens"`
	Format        *Format         `json:"response_format"`
	Stream        bool            `json:"stream"`
	StreamOptions json.RawMessage `json:"stream_options"`
}

// Message is a message of a request.
type Message struct {
	Role    string  `json:"role"`
	Content *string `json:"content"`
	Calls   []Call  `json:"tool_calls"`
	CallID  string  `json:"tool_call_id"`
}

// Call is a call of a tool.
type Call struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
	Extra json.RawMessage `json:"extra_content"`
}

// Tool is a tool that the model is offered.
type Tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// Format is the form of an answer.
type Format struct {
	Type   string `json:"type"`
	Schema struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// Parse reads a request. Whatever some server would refuse is an error: fields that it does not
// know, names that cannot be, calls without results and results without calls, arguments that are
// not objects.
func Parse(body []byte) (*Request, error) {
	var r Request
	if err := jsontext.Strictly(body, &r); err != nil {
		return nil, err
	}
	if r.Model == "" || len(r.Messages) == 0 {
		return nil, fmt.Errorf("model or messages are missing")
	}
	if len(r.StreamOptions) > 0 && !r.Stream {
		return nil, fmt.Errorf("stream_options without stream")
	}
	if r.Parallel != nil && len(r.Tools) == 0 {
		return nil, fmt.Errorf("'parallel_tool_calls' is only allowed when 'tools' are specified")
	}
	for _, t := range r.Tools {
		if err := t.checkRules(); err != nil {
			return nil, err
		}
	}

	return &r, checkMessages(r.Messages)
}

var nameForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (t *Tool) checkRules() error {
	var schema struct {
		Type string `json:"type"`
	}
	if t.Type != "function" || !nameForm.MatchString(t.Function.Name) {
		return fmt.Errorf("a tool called %q of type %q", t.Function.Name, t.Type)
	}
	if err := json.Unmarshal(t.Function.Parameters, &schema); err != nil || schema.Type != "object" {
		return fmt.Errorf("the parameters of %s are not an object: %s", t.Function.Name, t.Function.Parameters)
	}

	return nil
}

func checkMessages(messages []Message) error {
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role != "tool" && len(open) > 0 {
			return fmt.Errorf("message %d: calls have no results: %v", i, open)
		}
		switch m.Role {
		case "system", "user":
			if m.Content == nil || len(m.Calls) > 0 || m.CallID != "" {
				return fmt.Errorf("message %d of %s has no content, or what it should not", i, m.Role)
			}
		case "assistant":
			if m.Content == nil && len(m.Calls) == 0 {
				return fmt.Errorf("message %d of the assistant is empty", i)
			}
			if err := openCalls(open, m.Calls); err != nil {
				return fmt.Errorf("message %d: %w", i, err)
			}
		case "tool":
			if !open[m.CallID] || m.Content == nil {
				return fmt.Errorf("message %d: no call %q waits for a result", i, m.CallID)
			}
			delete(open, m.CallID)
		default:
			return fmt.Errorf("message %d has the role %q", i, m.Role)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("calls have no results: %v", open)
	}

	return nil
}

func openCalls(open map[string]bool, calls []Call) error {
	for _, c := range calls {
		var object map[string]any
		if err := json.Unmarshal([]byte(c.Function.Arguments), &object); err != nil || object == nil {
			return fmt.Errorf("the arguments of %s are not an object: %s", c.ID, c.Function.Arguments)
		}
		if c.ID == "" || open[c.ID] || c.Type != "function" || !nameForm.MatchString(c.Function.Name) {
			return fmt.Errorf("a call %q of %q, of type %q", c.ID, c.Function.Name, c.Type)
		}
		open[c.ID] = true
	}

	return nil
}
