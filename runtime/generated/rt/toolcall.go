package rt

import (
	"context"
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime"
)

// CallTool calls the method of a typed tool. Its result is text without check, which is the read
// function of a result that has a schema. Invalid arguments are a problem for the model to fix.
func CallTool[I, O any](
	ctx context.Context, args json.RawMessage, read Reader[I], method func(context.Context, I) (O, error),
	check ...Reader[O],
) (runtime.ToolResult, error) {
	in, err := read.Decode(args)
	if err != nil {
		return runtime.ToolResult{Problem: err.Error()}, nil
	}
	out, err := method(ctx, in)
	if err != nil {
		return runtime.ToolResult{}, err
	}
	if check == nil {
		return runtime.ToolResult{Text: any(out).(string)}, nil
	}
	text, err := check[0].Encode(out)

	return runtime.ToolResult{Text: string(text), JSON: err == nil}, err
}
