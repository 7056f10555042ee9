package main

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// circle are the keys that the clients fire, over and over.
var circle = [...]string{"check", "refuse", "retry"}

// mcpClient drives a machine of its own.
type mcpClient struct {
	session *sdk.ClientSession
	tool    string
	id      string
	made    int
}

// connectAll connects clients to a server. end closes the connections and ends the server.
func connectAll(ctx context.Context, over connection, s served, callers int) (clients []*mcpClient, end func()) {
	dial, stop := over.open(ctx, s)
	for i := range callers {
		session := must(sdk.NewClient(&sdk.Implementation{Name: "benchmarks"}, nil).Connect(ctx, dial(), nil))
		clients = append(clients, &mcpClient{session: session, tool: s.tool, id: fmt.Sprintf("delivery/%d of %d", i, callers)})
	}

	return clients, func() {
		for _, c := range clients {
			_ = c.session.Close()
		}
		stop()
	}
}

// calls makes so many steps.
func (c *mcpClient) calls(ctx context.Context, n int) error {
	for range n {
		if err := c.call(ctx); err != nil {
			return err
		}
	}

	return nil
}

// call makes the next step.
func (c *mcpClient) call(ctx context.Context) error {
	result, err := c.session.CallTool(ctx, &sdk.CallToolParams{Name: c.tool, Arguments: map[string]string{
		"fsm_id": c.id, "key": circle[c.made%len(circle)], "agent_id": "lead",
	}})
	if err != nil {
		return err
	}
	if result.IsError {
		return fmt.Errorf("%s: %s", c.tool, result.Content[0].(*sdk.TextContent).Text)
	}
	c.made++

	return nil
}
