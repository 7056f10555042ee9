package enginetest

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// probe is a tool, a function and a guard that note where they were called.
type probe struct {
	mu    sync.Mutex
	calls []runtime.CallInfo
}

func (p *probe) recordCall(ctx context.Context) string {
	info, _ := runtime.CallFromContext(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, info)

	return info.Address
}

// sortedAddresses returns where the probe was called, sorted.
func (p *probe) sortedAddresses() []string {
	p.mu.Lock()
	defer p.mu.Unlock()

	addresses := make([]string, len(p.calls))
	for i, c := range p.calls {
		addresses[i] = c.Address
	}
	slices.Sort(addresses)

	return addresses
}

// callTool calls the probe as a tool; the result is the address.
func (p *probe) callTool(fx runtime.Effects) (string, error) {
	result, err := fx.Tool(newToolCall(func(ctx context.Context) (runtime.ToolResult, error) {
		return runtime.ToolResult{Text: p.recordCall(ctx)}, nil
	}))

	return result.Text, err
}

// ProbeTool is the typed tool that the cases call, for engines that find tools by their names.
var ProbeTool = &runtime.ToolSpec{Name: "probe", Input: `{"type":"object"}`, Effect: runtime.EffectExternal}

func newToolCall(run func(ctx context.Context) (runtime.ToolResult, error)) runtime.ToolCall {
	return runtime.ToolCall{
		Agent: "main", ID: "1", Tool: ProbeTool, Args: json.RawMessage(`{}`),
		Run: func(ctx context.Context, _ json.RawMessage) (runtime.ToolResult, error) { return run(ctx) },
	}
}

func funcCall(run func(ctx context.Context) (json.RawMessage, error)) runtime.FuncCall {
	return runtime.FuncCall{
		Name: "probe", Args: json.RawMessage(`{}`),
		Run: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) { return run(ctx) },
	}
}

func guardCall(run func(ctx context.Context) runtime.Verdict) runtime.GuardCall {
	return runtime.GuardCall{
		Machine: "m", State: "s", Key: "k", Name: "probe",
		Run: func(ctx context.Context) (runtime.Verdict, error) { return run(ctx), nil },
	}
}

func memoryCall(tool, args string) runtime.ToolCall {
	return runtime.ToolCall{Agent: "main", ID: "1", Tool: rt.Builtin(tool), Args: json.RawMessage(args)}
}

var question = runtime.Question{ID: "approve", Agent: "main", Prompt: "May I?", Choices: []string{"yes", "no"}}

// answerYes is a person who agrees to everything.
func answerYes(context.Context, runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: "yes"}, nil
}
