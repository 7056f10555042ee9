package main

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type (
	// which is what both tools take.
	which struct {
		ID string `json:"id" jsonschema:"the id of a paper"`
	}
	works struct {
		Works []work `json:"works"`
	}
	work struct {
		Author string `json:"author"`
		Title  string `json:"title"`
		Year   int    `json:"year"`
	}
	// card is what the archive knows of a paper.
	card struct {
		shelf  string
		citing []work
	}
)

// cards are the whole archive, by the ids of papers.
var cards = map[string]card{
	"mealy-1955": {shelf: "A 3", citing: []work{}},
	"harel-1987": {shelf: "B 1", citing: []work{
		{"Harel, Naamad", "The STATEMATE semantics of statecharts", 1996},
		{"Samek", "Practical statecharts in C/C++", 2002},
	}},
	"kahn-1974": {shelf: "A 7", citing: []work{
		{"Kahn, MacQueen", "Coroutines and networks of parallel processes", 1977},
		{"Lee, Parks", "Dataflow process networks", 1995},
	}},
}

// citedBy is the tool cited_by. An error goes to the model, which may try another id.
func citedBy(_ context.Context, _ *mcp.CallToolRequest, in which) (*mcp.CallToolResult, works, error) {
	c, ok := cards[in.ID]
	if !ok {
		return nil, works{}, unknown(in)
	}

	return nil, works{c.citing}, nil
}

// shelf is the tool shelf, which answers in words.
func shelf(_ context.Context, _ *mcp.CallToolRequest, in which) (*mcp.CallToolResult, any, error) {
	c, ok := cards[in.ID]
	if !ok {
		return nil, nil, unknown(in)
	}

	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Shelf " + c.shelf}}}, nil, nil
}

func unknown(in which) error { return fmt.Errorf("the archive has no card for %q", in.ID) }
