// Package playground serves the page on which a project can be edited and run in a browser.
//
// Input: the files of a project, and an optional task. Output: the text of `agentc check`, the
// picture of `agentc graph`, and the steps of a run of the task. It uses the checks, pictures and
// engine of the commands. Only the routing of machines is interpreted, because a browser cannot
// compile the generated Go.
package playground
