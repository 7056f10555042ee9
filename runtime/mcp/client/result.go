package client

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentc-dev/agentc/runtime"
)

// longestResult is how much text a model is given for one call.
const longestResult = 1 << 20

// resultOf returns the answer of a server as a model receives it.
func (t Tool) resultOf(r *sdk.CallToolResult) runtime.ToolResult {
	text, others := textOf(r.Content)
	if r.IsError {
		return tooLong(runtime.ToolResult{Problem: failureText(r, text, others)})
	}
	if value, ok := structuredContent(r, text); ok {
		return t.checkResult(value)
	}
	if t.CheckOutput != nil {
		return t.checkResult(json.RawMessage(text))
	}
	if text == "" && len(others) > 0 {
		return problemResult("the tool gave %s, and only text can be read here", strings.Join(others, ", "))
	}
	for _, other := range others {
		text += "\n[" + other + ", which cannot be read here]"
	}

	return tooLong(runtime.ToolResult{Text: text})
}

// failureText returns the text with which a tool explains its failure.
func failureText(r *sdk.CallToolResult, text string, others []string) string {
	value, ok := structuredContent(r, text)
	switch {
	case text != "":
		return text
	case ok:
		return string(value)
	case len(others) > 0:
		return fmt.Sprintf("the tool failed, and says so with %s, which cannot be read here", strings.Join(others, ", "))
	}

	return "the tool failed, and gives no reason"
}

// checkResult returns a result that is JSON, if it fits the pinned schema.
func (t Tool) checkResult(value json.RawMessage) runtime.ToolResult {
	if !json.Valid(value) {
		return problemResult("the tool gave no result of the form that it promises")
	}
	if t.CheckOutput != nil {
		if err := t.CheckOutput(value); err != nil {
			return problemResult("the tool gave a result that is not of the form that it promises: %v", err)
		}
	}

	return tooLong(runtime.ToolResult{Text: string(value), JSON: true})
}

// structuredContent returns the structured result. Where the text is the same, it is that: its numbers are as the server wrote them.
func structuredContent(r *sdk.CallToolResult, text string) (json.RawMessage, bool) {
	if r.StructuredContent == nil {
		return nil, false
	}
	var same any
	if json.Unmarshal([]byte(text), &same) == nil && reflect.DeepEqual(same, r.StructuredContent) {
		return json.RawMessage(text), true
	}
	value, err := json.Marshal(r.StructuredContent)

	return value, err == nil
}

// textOf returns the text among contents, and what the others are.
func textOf(contents []sdk.Content) (text string, others []string) {
	var parts []string
	for _, c := range contents {
		switch c := c.(type) {
		case *sdk.TextContent:
			parts = append(parts, c.Text)
		case *sdk.ImageContent:
			others = append(others, fmt.Sprintf("an image (%s, %d bytes)", c.MIMEType, len(c.Data)))
		case *sdk.AudioContent:
			others = append(others, fmt.Sprintf("a recording (%s, %d bytes)", c.MIMEType, len(c.Data)))
		case *sdk.ResourceLink:
			parts = append(parts, strings.TrimSpace(c.Name+" "+c.URI))
		case *sdk.EmbeddedResource:
			switch {
			case c.Resource == nil:
			case c.Resource.Blob == nil:
				parts = append(parts, c.Resource.Text)
			default:
				others = append(others, fmt.Sprintf("a resource (%s, %s, %d bytes)", c.Resource.URI, c.Resource.MIMEType, len(c.Resource.Blob)))
			}
		default:
			others = append(others, "something that is not text")
		}
	}

	return strings.ToValidUTF8(strings.Join(parts, "\n"), "\ufffd"), others
}

// tooLong is a result that a model is not given, because it is too long.
func tooLong(r runtime.ToolResult) runtime.ToolResult {
	if n := len(r.Text) + len(r.Problem); n > longestResult {
		return problemResult("the result has %d bytes, more than the %d that can be read: ask for less", n, longestResult)
	}

	return r
}
