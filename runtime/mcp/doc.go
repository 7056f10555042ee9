// Package mcp serves a compiled program to clients of the Model Context Protocol. Its live machines and their
// blackboard become tools, with which other programs and agents can make only permitted steps, and so do its agents
// and workflows. A project includes it by a line in its config,
//
//	include: [mcp]
//
// and its binary has the command mcp, over stdin and stdout or, with --http, over streamable HTTP. It is a module of
// its own, so that agentc does not depend on the SDK of the protocol; other binaries do not contain it.
//
// A caller is identified by the credential of its connection: on stdin by --as, over HTTP by a bearer token. The
// agent_id in a call has to be the same. The README of this package is for people who configure clients.
package mcp
