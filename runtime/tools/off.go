package tools

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/errs"
)

// settings are the lines that turn on the tools of this package, by what the names of the tools begin with.
var settings = map[string]string{
	"files": "files: {root: ./workspace}",
	"http":  "http: {allow: [api.example.com]}",
	"bash":  "shell: true, and files: {root: ./workspace} for the folder in which commands run",
}

// offError means that the project has not turned a tool on, and setting is the line to add. It ends the run, because no model can fix that.
func offError(agent, tool, setting string) error {
	const text = "agent %q calls tool %q, which the project has not turned on: add %s to agentc.yaml"

	return &errs.Coded{Code: "OffError", Text: fmt.Sprintf(text, agent, tool, setting), Err: runtime.ErrNotAvailable}
}
