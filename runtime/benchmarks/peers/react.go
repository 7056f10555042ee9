package peers

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
)

// What the models of react agents call, what they get, and how they finish.
const (
	ToolName = "look_up"
	Word     = "ledger"
	Found    = "a book of accounts"
	Finished = "it is a book of accounts"
)

// ToolArgs are the arguments of the n-th call. A model that repeats a call with equal arguments would
// be stuck.
func ToolArgs(n int) string { return fmt.Sprintf(`{"word":%q,"limit":%d}`, Word, n+1) }

// LookUp holds the arguments of the tool.
type LookUp struct {
	Word  string `json:"word" jsonschema:"required"`
	Limit int    `json:"limit" jsonschema:"required"`
}

// caller is a chat model that plays its replies, the n-th of which follows n calls of tools.
type caller struct{ replies []*schema.Message }

// Generate returns the reply after the calls whose results it is given.
func (c caller) Generate(
	_ context.Context, in []*schema.Message, _ ...model.Option,
) (*schema.Message, error) {
	return c.replies[len(in)/2], nil
}

// Stream returns what Generate does, in one piece.
func (c caller) Stream(
	ctx context.Context, in []*schema.Message, o ...model.Option,
) (*schema.StreamReader[*schema.Message], error) {
	return newStream(c.Generate(ctx, in, o...))
}

// WithTools returns the same model.
func (c caller) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	return c, nil
}

// NewEinoReact returns a react agent of eino, whose model calls the tool so many times before it
// finishes.
func NewEinoReact(
	ctx context.Context, calls int, lookUp func(word string, limit int) string,
) (run func(context.Context) (string, error), err error) {
	typed, err := utils.InferTool(ToolName, "Looks a word up.",
		func(_ context.Context, in *LookUp) (string, error) { return lookUp(in.Word, in.Limit), nil })
	if err != nil {
		return nil, err
	}
	agent, err := react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: newCaller(calls),
		ToolsConfig:      compose.ToolsNodeConfig{Tools: []tool.BaseTool{typed}},
		MaxStep:          2*calls + 2,
	})
	if err != nil {
		return nil, err
	}

	return func(ctx context.Context) (string, error) {
		reply, err := agent.Generate(ctx, []*schema.Message{schema.UserMessage("What is a ledger?")})
		if err != nil {
			return "", err
		}

		return reply.Content, nil
	}, nil
}

// newCaller returns a model that calls the tool so many times.
func newCaller(calls int) caller {
	m := caller{}
	for n := range calls {
		call := schema.FunctionCall{Name: ToolName, Arguments: ToolArgs(n)}
		calls := []schema.ToolCall{{ID: "1", Type: "function", Function: call}}
		m.replies = append(m.replies, schema.AssistantMessage("", calls))
	}
	m.replies = append(m.replies, schema.AssistantMessage(Finished, nil))

	return m
}
