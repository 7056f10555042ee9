// Agentc compiles agents, written in Markdown, and workflows, in YAML, to Go.
//
//	agentc init [NAME] [DIR]    write a new project
//	agentc add PATTERN NAME     add an agent, a workflow or a skill
//	agentc check [DIR]          report problems; --fix applies the unambiguous fixes
//	agentc generate [DIR]       compile to Go; only files that changed are written
//	agentc run [DIR] [TASK]     compile, build and run
//	agentc dev [DIR] [TASK]     check, draw and run again whenever a file is saved
//	agentc build [DIR] -o FILE  build one static binary
//	agentc simulate [DIR]       try the machines without a model
//	agentc can [DIR]            list what a run can do
//	agentc cost [DIR]           print the most that a run can use
//	agentc preflight [DIR]      list what a run needs, and what is missing
//	agentc diff OLD [NEW]       compare two versions
//	agentc graph [DIR]          draw machines as Mermaid, DOT, SVG or a page
//	agentc explain NAME         explain a diagnostic
//
// "agentc --help" lists all commands, and "agentc COMMAND --help" describes one.
package main

import (
	"os"

	"github.com/agentc-dev/agentc/gen/command"
)

func main() {
	os.Exit(command.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
