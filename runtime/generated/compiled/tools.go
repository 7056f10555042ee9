package compiled

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
)

// BuiltinTools executes the built-in tools for files, http and the shell; package tools implements it. It is safe for
// concurrent use. ok is false for a tool that it does not have, such as one of memory. A problem is part of the
// result; an error ends the run.
type BuiltinTools interface {
	Run(ctx context.Context, call runtime.ToolCall) (result runtime.ToolResult, ok bool, err error)
}
