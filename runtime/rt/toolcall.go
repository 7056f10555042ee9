package rt

import (
	"context"
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime"
)

// CallTool calls the method of a typed tool, whose result is text. Invalid arguments are a problem for the model to
// fix.
func CallTool[I any](
	ctx context.Context, args json.RawMessage, read Reader[I], method func(context.Context, I) (string, error),
) (runtime.ToolResult, error) {
	in, err := read.Decode(args)
	if err != nil {
		return runtime.ToolResult{Problem: err.Error()}, nil
	}
	out, err := method(ctx, in)
	if err != nil {
		return runtime.ToolResult{}, err
	}

	return runtime.ToolResult{Text: out}, nil
}

// CallToolJSON is CallTool for a result that has a schema; check is its read function.
func CallToolJSON[I, O any](
	ctx context.Context, args json.RawMessage, read Reader[I], method func(context.Context, I) (O, error),
	check Reader[O],
) (runtime.ToolResult, error) {
	result, err := CallTool(ctx, args, read, func(ctx context.Context, in I) (string, error) {
		out, err := method(ctx, in)
		if err != nil {
			return "", err
		}
		text, err := check.Encode(out)

		return string(text), err
	})
	result.JSON = err == nil && result.Problem == ""

	return result, err
}
