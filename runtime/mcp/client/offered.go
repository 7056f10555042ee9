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

// Offered is a tool as its server offers it.
type Offered struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output,omitempty"`
	Hints       []string        `json:"hints,omitempty"`
}

// offeredBy asks a server for its tools.
func offeredBy(ctx context.Context, session *sdk.ClientSession) ([]Offered, error) {
	var all []Offered
	params := &sdk.ListToolsParams{}
	for pages := 0; ; pages++ {
		page, err := session.ListTools(ctx, params)
		if err != nil {
			return nil, err
		}
		for _, tool := range page.Tools {
			o, err := offered(tool)
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

func offered(tool *sdk.Tool) (o Offered, err error) {
	o = Offered{Name: tool.Name, Description: tool.Description, Hints: hintsOf(tool.Annotations)}
	if o.Input, err = json.Marshal(tool.InputSchema); err != nil {
		return o, err
	}
	if tool.OutputSchema != nil {
		o.Output, err = json.Marshal(tool.OutputSchema)
	}

	return o, err
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
