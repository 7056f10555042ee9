// Package serve runs the agents of a compiled program over HTTP: clients start runs, list them, stream their events
// and answer their questions. The server also resumes runs that a crash or a shutdown has interrupted. A project
// includes it by a line in its config,
//
//	include: [serve]
//
// and its binary has the command serve. Without the line, the binary does not contain this package.
//
// One table lists the operations; requests are routed by it and the OpenAPI description is built from it, with
// schemas of the Go types that are encoded. The README of this package is for clients of the server.
package serve
