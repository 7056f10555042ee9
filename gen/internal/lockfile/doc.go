// Package lockfile reads and writes agentc.lock, which pins what the MCP servers of a project
// offered when agentc last looked at them. For each server the file holds how it is reached, and
// its tools with their descriptions and schemas.
//
// Input: the tree of the file, or the answers of servers. Output: [Lock], and the text of the file.
//
// Promises: the text depends on the content alone, so that a pin that changes nothing changes no
// byte. Each tool has a digest, so that an edit by hand or a bad merge does not pass for an answer
// of a server. The package never sees the value of a variable, so the file contains none.
package lockfile
