// Package client lets the skills of a project use tools of MCP servers: commands that it starts, or addresses of streamable HTTP.
//
// Generated code names the servers in a [Part], with what is pinned of their tools in agentc.lock. Before a run spends anything each
// server is started or called, and what it offers is compared with that: a tool that was changed is a *[DriftError], a server that wants
// somebody to log in an *[AuthError], one that cannot be reached a *[StartError]. Under a script nothing is started.
//
// Runs of one process share a server; it is stopped when the last of them has ended, with all that it has started. A command gets the
// variables that its entry lists and those that programs need to run, and nothing else. README.md is for those who write skills.
package client
