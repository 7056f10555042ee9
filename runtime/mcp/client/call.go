package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime"
)

// callTime is how long a call may take.
const callTime = 5 * time.Minute

// callTool calls a tool. What goes wrong with the call is a problem, which the model is told; an error is a server that cannot be used.
func (s *session) callTool(ctx context.Context, tool Tool, args json.RawMessage) (runtime.ToolResult, error) {
	result, forgotten, err := s.callOnce(ctx, tool, args)
	if forgotten { // it has not been done, and servers end sessions as they like
		result, _, err = s.callOnce(ctx, tool, args)
	}

	return result, err
}

// callOnce is call. forgotten reports whether the server has refused the call because it does not
// know the session any more.
func (s *session) callOnce(ctx context.Context, tool Tool, args json.RawMessage) (_ runtime.ToolResult, forgotten bool, _ error) {
	l, err := s.currentLink(ctx)
	if err != nil {
		return runtime.ToolResult{}, false, err
	}
	within, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	seen := &reply{}
	result, err := l.session.CallTool(seen.withReply(within), &sdk.CallToolParams{Name: tool.Remote, Arguments: args, Meta: metaOf(ctx)})
	if err == nil {
		return tool.resultOf(result), false, nil
	}
	told, err := s.callFailed(ctx, within, l, seen, err)

	return told, err == nil && within.Err() == nil && seen.isSessionUnknown(), err
}

// metaOf says in which trace a call is made.
func metaOf(ctx context.Context) sdk.Meta {
	if info, ok := runtime.CallFromContext(ctx); ok && info.Traceparent != "" {
		return sdk.Meta{"traceparent": info.Traceparent}
	}

	return nil
}

// callFailed distinguishes why a call has no result: the caller who made it does not wait any more, the server refuses it, has said something that
// is no answer, or is gone.
func (s *session) callFailed(ctx, within context.Context, l *link, seen *reply, err error) (runtime.ToolResult, error) {
	better := l.wire.problem()
	switch {
	case ctx.Err() != nil:
		return runtime.ToolResult{}, context.Cause(ctx)
	case runtime.ErrorType(better) == codeAuth:
		s.takeTurnAndDrop(ctx, l)
		return runtime.ToolResult{}, better
	case within.Err() != nil:
		return problemResult("MCP server %q has not answered within %s; it is not known whether it did what it was asked", s.server.Name, callTime), nil
	case better == nil:
		if told, ok := s.failedReply(ctx, l, seen, err); ok {
			return told, nil
		}
		better = err
	}
	if err := s.countCrash(ctx, l, better); err != nil {
		return runtime.ToolResult{}, err
	}

	return problemResult("the connection with MCP server %q has ended during the call: %v; it is not known whether it did what it was asked",
		s.server.Name, s.secrets.Text(better.Error())), nil
}

// failedReply is what a model is told of a server that has answered, if it has, though not with a result.
func (s *session) failedReply(ctx context.Context, l *link, seen *reply, err error) (told runtime.ToolResult, ok bool) {
	refused, said := saidBy(err)
	if seen.isSessionUnknown() || seen.isError() && !said {
		s.takeTurnAndDrop(ctx, l)
	}
	switch {
	case said:
		return s.refusedResult(refused), true
	case seen.isRefused():
		return problemResult("MCP server %q refuses the call: %s", s.server.Name, seen), true
	case seen.isError():
		return problemResult("MCP server %q has failed: %s; it is not known whether it did what it was asked", s.server.Name, seen), true
	case l.isAlive(ctx):
		return problemResult("MCP server %q has given no answer that can be read: %s; it is not known whether it did what it was asked",
			s.server.Name, s.secrets.Text(shorten(err.Error()))), true
	}

	return told, false
}

// saidBy returns the error of the protocol that a server has answered with. The SDK has one of its own for requests that were not sent.
func saidBy(err error) (e *jsonrpc.Error, ok bool) {
	const rejected = "rejected by transport"
	ok = errors.As(err, &e) && e.Message != rejected

	return e, ok
}

// aliveTime is how long a server may take to answer a ping.
const aliveTime = 5 * time.Second

// isAlive asks the server whether the connection lasts: the SDK says the same of one that has ended and of an answer that cannot be read.
func (l *link) isAlive(ctx context.Context) bool {
	within, cancel := context.WithTimeout(ctx, aliveTime)
	defer cancel()
	err := l.session.Ping(within, nil)
	if err == nil {
		return true
	}
	_, said := saidBy(err)

	return said // it knows no ping
}

// refusedResult returns the result for a model of a call that the server answered with an error of
// the protocol.
func (s *session) refusedResult(e *jsonrpc.Error) runtime.ToolResult {
	if strings.TrimSpace(e.Message) == "" {
		return problemResult("MCP server %q refuses the call, error %d, and gives no reason", s.server.Name, e.Code)
	}

	return tooLong(runtime.ToolResult{Problem: strings.ToValidUTF8(e.Message, "\ufffd")})
}

// problemResult returns the result of a call that failed.
func problemResult(format string, args ...any) runtime.ToolResult {
	return runtime.ToolResult{Problem: fmt.Sprintf(format, args...)}
}
