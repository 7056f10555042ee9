package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime"
)

// callTime is how long a call may take.
const callTime = 5 * time.Minute

// call calls a tool. What goes wrong with the call is a problem, which the model is told; an error is a server that cannot be used.
func (s *session) call(ctx context.Context, tool Tool, args json.RawMessage) (runtime.ToolResult, error) {
	l, err := s.current(ctx)
	if err != nil {
		return runtime.ToolResult{}, err
	}
	within, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	result, err := l.session.CallTool(within, &sdk.CallToolParams{Name: tool.Remote, Arguments: args, Meta: metaOf(ctx)})
	if err == nil {
		return tool.result(result), nil
	}

	return s.callFailed(ctx, within, l, err)
}

// metaOf says in which trace a call is made.
func metaOf(ctx context.Context) sdk.Meta {
	if info, ok := runtime.CallFromContext(ctx); ok && info.Traceparent != "" {
		return sdk.Meta{"traceparent": info.Traceparent}
	}

	return nil
}

// callFailed tells apart why a call has no result: whoever made it does not wait any more, the server refuses it, or is gone.
func (s *session) callFailed(ctx, within context.Context, l *link, err error) (runtime.ToolResult, error) {
	var refused *jsonrpc.Error
	var auth *AuthError
	better := l.wire.problem()
	switch {
	case ctx.Err() != nil:
		return runtime.ToolResult{}, context.Cause(ctx)
	case errors.As(better, &auth):
		s.forget(ctx, l)
		return runtime.ToolResult{}, auth
	case within.Err() != nil:
		return problem("MCP server %q has not answered within %s; nobody knows whether it did what it was asked", s.server.Name, callTime), nil
	case better == nil && errors.As(err, &refused):
		return problem("%s", refused.Message), nil
	}
	if better == nil {
		better = err
	}
	if err := s.ended(ctx, l, better); err != nil {
		return runtime.ToolResult{}, err
	}

	return problem("the connection with MCP server %q has ended during the call: %v; nobody knows whether it did what it was asked",
		s.server.Name, s.secrets.Text(better.Error())), nil
}

func problem(format string, args ...any) runtime.ToolResult {
	return runtime.ToolResult{Problem: fmt.Sprintf(format, args...)}
}
