// Package serve serves the runs of a compiled program over HTTP: it starts them, lists them, streams what happens in them, takes
// answers to their questions, and goes on with those that a crash or a shutdown has interrupted. A project whose config has
//
//	include: [serve]
//
// has it in its binary as APP serve. Without the line nothing links it.
//
// What the server can be asked is one table, operations, from which requests are routed and from which the OpenAPI description is
// made; the schemas of that are those of the Go types that are encoded. README.md is for those who call the server.
package serve
