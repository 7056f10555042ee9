package web

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/redact"
	"github.com/agentc-dev/agentc/runtime/tools"
)

// What is bounded unless the settings say otherwise.
const (
	maxSize = 4 << 20
	timeout = 30 * time.Second
)

// Tools are the http tools for the hosts that the project lists.
type Tools struct {
	// Allow are the entries of http.allow. Without any, the tools are off.
	Allow []string
	// MaxSize is the largest body of a request, and of a response after it is unpacked, in bytes;
	// 0: 4 MiB.
	MaxSize int64
	// Timeout is how long a call may take, including redirects and the whole response; 0: 30
	// seconds.
	Timeout time.Duration
	// Resolver resolves names; nil: net.DefaultResolver.
	Resolver *net.Resolver
}

// Open checks the settings and returns the tools; see [tools.On].
func (k Tools) Open(env func(string) (string, bool)) (map[string]tools.Tool, error) {
	rules, err := parseRules(k.Allow)
	if err != nil || len(rules) == 0 {
		return nil, err
	}
	k.MaxSize, k.Timeout = cmp.Or(k.MaxSize, maxSize), cmp.Or(k.Timeout, timeout)
	c := &caller{Tools: k, env: env, hosts: hosts{rules, k.Allow}}
	c.get = newClient(c.hosts, k.Resolver, true)
	// A connection that was used before may end just when a request is sent on it, and then the
	// transport would send it again.
	c.post = newClient(c.hosts, k.Resolver, false)

	return map[string]tools.Tool{
		"http_get": func(ctx context.Context, call runtime.ToolCall) (runtime.ToolResult, error) {
			return c.runCall(ctx, call, http.MethodGet, c.get)
		},
		"http_post": func(ctx context.Context, call runtime.ToolCall) (runtime.ToolResult, error) {
			return c.runCall(ctx, call, http.MethodPost, c.post)
		},
	}, nil
}

// caller makes requests.
type caller struct {
	Tools
	env       func(name string) (value string, ok bool)
	hosts     hosts
	get, post *http.Client
}

// runCall makes the request of a call. What comes back does not show the values that went out.
func (c *caller) runCall(ctx context.Context, call runtime.ToolCall, method string, client *http.Client) (runtime.ToolResult, error) {
	var in arguments
	if err := json.Unmarshal(call.Args, &in); err != nil {
		return runtime.ToolResult{Problem: err.Error()}, nil
	}
	v := &variables{allowed: call.Vars, env: c.env}
	result := c.sendAndRead(ctx, method, client, in, v)
	if ctx.Err() != nil {
		return runtime.ToolResult{}, context.Cause(ctx)
	}

	return redact.New(v.used...).Result(result), nil
}
