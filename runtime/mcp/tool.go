package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is what clients receive about a tool.
type tool struct {
	name, description string
	// reads reports whether it changes nothing.
	reads bool
	needs need
}

// addTool adds a tool. Its schemas are made of the types with which it works: the fields of In are the arguments, and the reply is
// Out with ok or, if there is an error, a failedCall. Arguments that cannot be read are failures of the tool too, so that a model sees
// what was wrong and can do better.
func addTool[In, Out any](s *Server, t tool, do func(ctx context.Context, call call, in In) (Out, error)) {
	arguments := schemaFor[In]()
	described := &sdk.Tool{
		Name: t.name, Description: t.description,
		InputSchema: arguments, OutputSchema: replySchema[Out](),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: t.reads, OpenWorldHint: new(bool)},
	}
	s.sdk.AddTool(described, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in In
		call := s.newCall(r)
		err := decodeArguments(r.Params.Arguments, &in)
		if err == nil {
			err = checkArguments(r.Params.Arguments, arguments)
		}
		if err == nil {
			err = call.checkInput(in)
		}
		if err == nil {
			err = call.checkPermission(t.needs, targetOf(in))
		}
		if err != nil {
			return failedResult(err), nil
		}
		out, err := do(ctx, call, in)
		if need, ok := err.(*needsInput); ok {
			return &sdk.CallToolResult{InputRequests: need.requests, RequestState: need.run}, nil
		}
		if err != nil {
			return failedResult(err), nil
		}

		return newToolResult(append([]byte(`{"ok":true,`), encodeJSON(out)[1:]...), false), nil
	})
}

// newToolResult returns a reply for both kinds of clients: as text, and as JSON.
func newToolResult(reply []byte, isError bool) *sdk.CallToolResult {
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: string(reply)}},
		StructuredContent: json.RawMessage(reply),
		IsError:           isError,
	}
}

// schemaFor returns the schema of a struct: its fields that may be left out are those with omitempty.
func schemaFor[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{
		TypeSchemas: map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[json.RawMessage](): {}},
	})
	if err != nil {
		panic(fmt.Errorf("runtime/mcp has a type without schema: %w", err))
	}

	return schema
}

// addDescriptions adds to a schema what the fields of a struct, and of those that it embeds, say of themselves for the description of HTTP.
func addDescriptions(schema *jsonschema.Schema, of reflect.Type) {
	for _, field := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if property := schema.Properties[name]; property != nil && property.Description == "" {
			property.Description = field.Tag.Get("doc")
		}
	}
}

// replySchema returns the schema of what a tool replies: with ok, all of T; without, a Failure.
func replySchema[T any]() *jsonschema.Schema {
	schema, failure := schemaFor[T](), schemaFor[failedCall]()
	addDescriptions(schema, reflect.TypeFor[T]())
	schema.Properties["ok"], schema.PropertyOrder = failure.Properties["ok"], slices.Insert(schema.PropertyOrder, 0, "ok")
	for _, name := range failure.PropertyOrder {
		if schema.Properties[name] == nil {
			schema.Properties[name] = failure.Properties[name]
			schema.PropertyOrder = append(schema.PropertyOrder, name)
		}
	}
	schema.Required = []string{"ok"}

	return schema
}
