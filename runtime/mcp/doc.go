// Package mcp serves a compiled program to clients of the Model Context Protocol: its live machines and their blackboard, which
// other programs and agents drive without being able to break them, and its agents and workflows as tools. A project whose
// config has
//
//	include: [mcp]
//
// has it in its binary as APP mcp, over stdin and stdout or, with --http, over streamable HTTP. Nothing else links it: it is a
// module of its own, because the SDK is no requirement of agentc.
//
// Who calls is who the connection's credential says: on stdin --as, over HTTP a bearer token. What a call says about itself,
// agent_id, has to agree. README.md is for those who set a client up.
package mcp
