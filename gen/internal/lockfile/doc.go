// Package lockfile reads and writes agentc.lock, in which a project keeps what its MCP servers offered when they were looked at last:
// for each server how it is reached, and its tools with their descriptions and schemas.
//
// Input: the tree of the file, or what servers say of themselves. Output: [Lock], and
// the text of the file. Promises: the text depends on the content
// alone, so that a pin that changes nothing changes no byte; each tool has a digest, so that an edit by hand or a bad merge does not
// pass for something that a server has said; and nothing of a variable's value gets into the file, because nothing of it gets in here.
package lockfile
