// Command archive is an MCP server: it knows who has built on a paper. It speaks over its standard input and output, to whoever starts
// it, and has nothing to do with the program beside it but the ids of papers.
package main

import (
	"context"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if err := newServer().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}

func newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "archive", Version: "1.0.0"}, nil)
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}
	mcp.AddTool(s, &mcp.Tool{Name: "cited_by", Description: "Lists later works that build on a paper.", Annotations: reads}, citedBy)
	mcp.AddTool(s, &mcp.Tool{Name: "shelf", Description: "Tells where the printed paper stands.", Annotations: reads}, shelf)

	return s
}
