// Package client connects the agents of a project to MCP servers, whose tools their skills use: commands that it
// starts, or addresses of streamable HTTP.
//
// Generated code lists the servers in a [Part], with the descriptions of their tools that agentc.lock pins. Before a
// run spends anything, each server is started or called, and its tools are compared with the pins: a changed tool is
// a DriftError, a server that requires a login an AuthError, one that cannot be reached a StartError. With a
// script no server is started.
//
// The runs of one process share a server; it is stopped, with all processes that it has started, when the last of
// them has ended. A command gets the environment variables that its entry lists and those that programs need to run,
// and no others. The README of this package is for authors of skills.
package client
