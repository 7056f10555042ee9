// Package access defines what callers may do: which rights a token has, for which agents, questions
// and machines. The servers of runs (HTTP, MCP) and the command line ask it before they do
// anything, so that a tokens file means the same to all of them.
//
// [Open] reads such a file and follows its changes; its page is the section "Tokens and rights" of runtime/servers/serve. A
// program with another source of callers, such as OIDC, gives a server a function that returns a [Grant].
package access
