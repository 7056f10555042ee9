package client_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// kindVariable makes the test program a server of a kind.
const kindVariable = "AGENTC_TEST_SERVER"

// serve is a server until its input ends.
func serve(kind string) {
	if misbehave(kind) || older(kind) {
		return
	}
	if err := newServer(kind).Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

type (
	none     struct{}
	greeting struct {
		Greeting string `json:"greeting"`
	}
	name struct {
		Name string `json:"name" jsonschema:"whom to greet"`
	}
)

// newServer is a server of the official SDK.
func newServer(kind string) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "desk", Version: "1.2.3"}, nil)
	sdk.AddTool(s, &sdk.Tool{
		Name: "greet", Description: "Greets somebody.",
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true},
	}, func(_ context.Context, _ *sdk.CallToolRequest, in name) (*sdk.CallToolResult, greeting, error) {
		return nil, greeting{"Hello, " + in.Name + "!"}, nil
	})
	image := &sdk.ImageContent{MIMEType: "image/png", Data: []byte{1, 2, 3}}
	gives := func(name string, content ...sdk.Content) {
		sdk.AddTool(s, &sdk.Tool{Name: name, Description: "Gives " + name + "."},
			func(context.Context, *sdk.CallToolRequest, none) (*sdk.CallToolResult, any, error) {
				return &sdk.CallToolResult{Content: content}, nil, nil
			})
	}
	gives("text", &sdk.TextContent{Text: "one"}, &sdk.TextContent{Text: "two"})
	gives("image", image)
	gives("mixed", &sdk.TextContent{Text: "a picture:"}, image)
	folder, _ := os.Getwd()
	gives("folder", &sdk.TextContent{Text: folder})
	gives("process", &sdk.TextContent{Text: fmt.Sprint(os.Getpid())})
	environ := os.Environ()
	slices.Sort(environ)
	gives("environment", &sdk.TextContent{Text: strings.Join(environ, "\n") + "\n"})
	sdk.AddTool(s, &sdk.Tool{Name: "fails"}, func(context.Context, *sdk.CallToolRequest, none) (*sdk.CallToolResult, any, error) {
		return nil, nil, errors.New("no such letter")
	})
	misbehaving(s, kind)

	return s
}

// deskServer is the command of the server in internal/reception.
const deskServer = "desk-server"
