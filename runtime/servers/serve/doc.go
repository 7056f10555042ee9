// Package serve runs the agents of a compiled program over HTTP: clients start runs, list them, stream their events
// and answer their questions. The server also resumes runs that a crash or a shutdown has interrupted. A project
// includes it by a line in its config,
//
//	include: [serve]
//
// and its binary has the command serve. Without the line, the binary does not contain this package.
//
// One table lists the operations, by which requests are routed; openapi.json describes them, and tests hold both, and
// the Go types that are encoded, against each other. The README of this package is for clients of the server.
package serve
