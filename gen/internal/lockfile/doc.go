// Package lockfile reads and writes agentc.lock, in which a project keeps what its MCP servers offered when somebody looked at it last:
// for each server how it is reached, and its tools with their descriptions and schemas.
//
// Input: the file, or what servers say of themselves. Output: the file's tree, which package validate holds against the schema, [Lock], and
// the file's text. Promises: the text depends on the content
// alone, so that a pin that changes nothing changes no byte; each tool has a digest, so that an edit by hand or a bad merge does not
// pass for something that a server has said; and nothing of a variable's value gets into the file, because nothing of it gets in here.
package lockfile
