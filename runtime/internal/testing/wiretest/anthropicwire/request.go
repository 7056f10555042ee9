package anthropicwire

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// Request is a request for a message.
type Request struct {
	Model        string          `json:"model"`
	MaxTokens    int             `json:"max_tokens"`
	System       []Block         `json:"system"`
	Messages     []Message       `json:"messages"`
	Tools        []Tool          `json:"tools"`
	Temperature  *float64        `json:"temperature"`
	TopP         *float64        `json:"top_p"`
	TopK         *int            `json:"top_k"`
	Stop         []string        `json:"stop_sequences"`
	ServiceTier  string          `json:"service_tier"`
	ToolChoice   *ToolChoice     `json:"tool_choice"`
	Thinking     *Thinking       `json:"thinking"`
	OutputConfig *OutputConfig   `json:"output_config"`
	Stream       bool            `json:"stream"`
	Raw          json.RawMessage `json:"-"`
}

// ToolChoice is how the model may call tools.
type ToolChoice struct {
	Type            string `json:"type"`
	DisableParallel bool   `json:"disable_parallel_tool_use"`
}

// Thinking is what the model is asked about thinking.
type Thinking struct {
	Type   string `json:"type"`
	Budget int    `json:"budget_tokens"`
}

// OutputConfig is the effort of an answer, and its form.
type OutputConfig struct {
	Effort string `json:"effort"`
	Format *struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"schema"`
	} `json:"format"`
}

// Message is a message of a request.
type Message struct {
	Role    string  `json:"role"`
	Content []Block `json:"content"`
}

// Block is one of those that a message is made of, whatever its type.
type Block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	CallID    string          `json:"tool_use_id"`
	Content   Result          `json:"content"`
	Failed    bool            `json:"is_error"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
	Cache     *CacheControl   `json:"cache_control"`
	// Later is a member that is unknown to clients; a server that has sent one takes it back.
	Later json.RawMessage `json:"later"`
}

// Result is what a tool has given back: a list of blocks, all of them text here.
type Result string

// UnmarshalJSON implements json.Unmarshaler.
func (r *Result) UnmarshalJSON(raw []byte) error {
	var blocks []Block
	if err := json.Unmarshal(raw, &blocks); err != nil {
		return err
	}
	for _, b := range blocks {
		if b.Type != "text" || strings.TrimSpace(b.Text) == "" {
			return fmt.Errorf("the result of a tool: %s", raw)
		}
		*r += Result(b.Text)
	}

	return nil
}

// CacheControl is the mark of a block up to which the prompt is to be kept.
type CacheControl struct {
	Type string `json:"type"`
}

// Tool is a tool that the model is offered.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"input_schema"`
	Cache       *CacheControl   `json:"cache_control"`
}

// Parse reads a request. What Anthropic would refuse is an error: unknown fields, sides that do not
// take turns, calls without results right behind them, texts without anything in them, thoughts
// without a signature, too many marks.
func Parse(body []byte) (*Request, error) {
	r := Request{Raw: body}
	if err := jsontext.Strictly(body, &r); err != nil {
		return nil, err
	}
	if err := r.checkRules(); err != nil {
		return nil, err
	}

	return &r, checkMessages(r.Messages)
}

// mostMarks is how many blocks may be marked for the cache.
const mostMarks = 4

func (r *Request) checkRules() error {
	switch {
	case r.Model == "" || r.MaxTokens < 1 || len(r.Messages) == 0:
		return fmt.Errorf("model, max_tokens or messages are missing")
	case r.Temperature != nil && (*r.Temperature < 0 || *r.Temperature > 1):
		return fmt.Errorf("temperature: range: 0..1")
	case r.TopP != nil && (*r.TopP < 0 || *r.TopP > 1):
		return fmt.Errorf("top_p: range: 0..1")
	case r.TopP != nil && r.Thinking != nil && r.Thinking.Type != "disabled":
		return fmt.Errorf("`top_p` must be at least 0.95 when thinking is enabled")
	case r.TopK != nil && r.Thinking != nil && r.Thinking.Type != "disabled":
		return fmt.Errorf("`top_k` must be unset when thinking is enabled")
	case r.ToolChoice != nil && len(r.Tools) == 0:
		return fmt.Errorf("tool_choice may only be specified while providing tools")
	case r.Temperature != nil && r.Thinking != nil && r.Thinking.Type != "disabled":
		return fmt.Errorf("`temperature` may only be set to 1 when thinking is enabled")
	case r.Thinking != nil && r.Thinking.Type == "enabled" && (r.Thinking.Budget < 1024 || r.Thinking.Budget >= r.MaxTokens):
		return fmt.Errorf("thinking.enabled.budget_tokens: from 1024 on, and less than max_tokens")
	case len(r.Marks()) > mostMarks:
		return fmt.Errorf("a maximum of %d blocks with cache_control may be provided: found %q", mostMarks, r.Marks())
	}
	for _, b := range r.System {
		if b.Type != "text" || strings.TrimSpace(b.Text) == "" {
			return fmt.Errorf("system: %+v", b)
		}
	}
	for _, t := range r.Tools {
		var schema struct {
			Type string `json:"type"`
		}
		if !nameForm.MatchString(t.Name) || json.Unmarshal(t.Schema, &schema) != nil || schema.Type != "object" {
			return fmt.Errorf("tools: %q with %s", t.Name, t.Schema)
		}
	}

	return nil
}

// Marks are the places of the marks: tools.N, system.N, messages.N.M.
func (r *Request) Marks() (places []string) {
	note := func(c *CacheControl, format string, at ...any) {
		if c != nil {
			places = append(places, fmt.Sprintf(format, at...))
		}
	}
	for i, t := range r.Tools {
		note(t.Cache, "tools.%d", i)
	}
	for i, b := range r.System {
		note(b.Cache, "system.%d", i)
	}
	for i, m := range r.Messages {
		for j, b := range m.Content {
			note(b.Cache, "messages.%d.%d", i, j)
		}
	}

	return places
}

var nameForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)

// checkMessages holds a conversation against the rules that it has as a whole.
func checkMessages(messages []Message) error {
	open, seen := map[string]bool{}, map[string]bool{}
	for i, m := range messages {
		want := "user"
		if i%2 == 1 {
			want = "assistant"
		}
		if m.Role != want || len(m.Content) == 0 {
			return fmt.Errorf("messages.%d is of %q with %d blocks", i, m.Role, len(m.Content))
		}
		for j, b := range m.Content {
			if err := b.checkRules(m.Role, open, seen); err != nil {
				return fmt.Errorf("messages.%d.content.%d: %w", i, j, err)
			}
		}
		if m.Role == "user" && len(open) > 0 {
			return fmt.Errorf("messages.%d: calls have no results: %v", i, open)
		}
	}
	if len(open) > 0 || messages[len(messages)-1].Role != "user" {
		return fmt.Errorf("the conversation ends with the assistant")
	}

	return nil
}

// checkRules checks one block against the rules. open are the calls that wait for a result, seen
// the ids of all.
func (b *Block) checkRules(role string, open, seen map[string]bool) error {
	switch {
	case b.Type == "text":
		if strings.TrimSpace(b.Text) == "" {
			return fmt.Errorf("text content blocks must contain non-whitespace text")
		}
	case b.Type == "tool_result" && role == "user":
		if !open[b.CallID] {
			return fmt.Errorf("no call %q waits for a result", b.CallID)
		}
		delete(open, b.CallID)
	case b.Type == "tool_use" && role == "assistant":
		var input map[string]any
		isObject := json.Unmarshal(b.Input, &input) == nil && input != nil
		isNamed := nameForm.MatchString(b.ID) && nameForm.MatchString(b.Name)
		if seen[b.ID] || !isNamed || !isObject {
			return fmt.Errorf("a call %q of %q with %s", b.ID, b.Name, b.Input)
		}
		open[b.ID], seen[b.ID] = true, true
	case b.Type == "thinking" && role == "assistant":
		if b.Signature == "" || b.Cache != nil {
			return fmt.Errorf("thoughts without a signature, or with a mark")
		}
	case b.Type == "redacted_thinking" && role == "assistant":
	default:
		return fmt.Errorf("a block of type %q from the %s", b.Type, role)
	}

	return nil
}
