// Agentc compiles agents and state machines, written as AGENT.md, to Go.
//
//	agentc generate [DIR]       compile; write only what changed
//	agentc check [DIR]          report mistakes; --fix fixes what is certain
//	agentc run [DIR] [TASK]     generate, go build, run
//	agentc dev [DIR] [TASK]     check, draw and run again whenever a file is saved
//	agentc build [DIR] -o FILE  one static binary
//	agentc graph [DIR]          a picture: Mermaid, DOT, SVG or a page
//	agentc diff OLD [NEW]       what a change does, and which runs would be stuck
//	agentc simulate [DIR]       try the machines without a model; a script for every row
//	agentc init [NAME] [DIR]    a new project
//	agentc add PATTERN NAME     an agent, a workflow or a skill for a project
//	agentc explain NAME         the page of a diagnostic
//	agentc schema FORMAT        a JSON Schema
//	agentc version              versions of compiler, runtime and Go
package main

import (
	"os"

	"github.com/agentc-dev/agentc/gen/command"
)

func main() {
	os.Exit(command.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
