package compiled

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
)

// BuiltinTools runs the built-in tools that reach the world; package tools has them. It is safe for concurrent use. ok is false for a
// tool that it does not have, such as one of memory. What went wrong is in the result; an error ends the run.
type BuiltinTools interface {
	Run(ctx context.Context, call runtime.ToolCall) (result runtime.ToolResult, ok bool, err error)
}
