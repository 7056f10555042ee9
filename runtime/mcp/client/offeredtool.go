package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mostTools is how many tools a server may offer.
const mostTools = 2000

var errTooManyTools = fmt.Errorf("it offers more than %d tools", mostTools)

// offeredTool is a tool as its server offers it.
type offeredTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output,omitempty"`
	Hints       []string        `json:"hints,omitempty"`
}

// offeredBy asks a server for its tools.
func offeredBy(ctx context.Context, session *sdk.ClientSession) ([]offeredTool, error) {
	var all []offeredTool
	params := &sdk.ListToolsParams{}
	for pages := 0; ; pages++ {
		page, err := session.ListTools(ctx, params)
		if err != nil {
			return nil, err
		}
		for _, tool := range page.Tools {
			o, err := newOfferedTool(tool)
			if err != nil {
				return nil, err
			}
			all = append(all, o)
		}
		if len(all) > mostTools || pages > mostTools {
			return nil, errTooManyTools
		}
		if page.NextCursor == "" {
			return all, nil
		}
		if page.NextCursor == params.Cursor {
			return nil, errors.New("its list of tools has no end")
		}
		params = &sdk.ListToolsParams{Cursor: page.NextCursor}
	}
}

// notKept has each list of tools be asked for: a server may say for how long the SDK is to keep one, and would not be looked at again.
func notKept(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, r)
		if list, ok := result.(*sdk.ListToolsResult); ok && list != nil {
			list.TTLMs = 0
		}

		return result, err
	}
}

func newOfferedTool(tool *sdk.Tool) (o offeredTool, err error) {
	o = offeredTool{Name: tool.Name, Description: tool.Description, Hints: hintsOf(tool.Annotations)}
	o.Input, err = schemaOf(tool.InputSchema)
	if err != nil {
		return o, err
	}
	if o.Input == nil {
		o.Input = json.RawMessage(`{"type":"object"}`)
	}
	o.Output, err = schemaOf(tool.OutputSchema)

	return o, err
}

// schemaOf is a schema of a server; nil for what is none. Those of tools are objects, and a model could make nothing of anything else.
func schemaOf(schema any) (json.RawMessage, error) {
	if _, is := schema.(map[string]any); !is {
		return nil, nil
	}

	return json.Marshal(schema)
}

// hintsOf are what a server says of the effect of a tool, where that is not what a client has to take for granted.
func hintsOf(a *sdk.ToolAnnotations) []string {
	if a == nil {
		return nil
	}
	var hints []string
	add := func(is bool, hint string) {
		if is {
			hints = append(hints, hint)
		}
	}
	add(a.DestructiveHint != nil && !*a.DestructiveHint, "additive")
	add(a.OpenWorldHint != nil && !*a.OpenWorldHint, "closed-world")
	add(a.IdempotentHint, "idempotent")
	add(a.ReadOnlyHint, "read-only")

	return slices.Clip(hints)
}
