// Package playground answers the page on which a project can be edited and run in a browser.
//
// Input: the files of a project, and perhaps a task. Output: the text that `agentc check` prints,
// the picture that `agentc graph` draws, and what a run of the task does. The checks, the pictures
// and the engine are those of the commands. Only the routing of machines is read from the
// representation, because a browser cannot compile the Go that is generated for them.
package playground
