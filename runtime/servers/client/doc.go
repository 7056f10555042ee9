// Package client has the shape of a run, over HTTP and MCP, in the output of commands and in Go, and what starts runs, lists and shows
// them, answers their questions, cancels and watches them: [Client]. The README has examples and a table of the members of a run.
package client
