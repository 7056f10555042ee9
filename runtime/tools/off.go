package tools

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
)

// settings are the lines that turn on the tools of this package, by what the names of the tools begin with.
var settings = map[string]string{
	"files": "files: {root: ./workspace}",
	"http":  "http: {allow: [api.example.com]}",
	"bash":  "shell: true, and files: {root: ./workspace} for the folder in which commands run",
}

// offError means that the project has not turned a tool on. It ends the run, because no model can fix that.
type offError struct {
	Agent, Tool string
	// Advice is the line to add to agentc.yaml.
	Advice string
}

func (e *offError) Error() string {
	return fmt.Sprintf("agent %q calls tool %q, which the project has not turned on: add %s to agentc.yaml",
		e.Agent, e.Tool, e.Advice)
}

// ErrorType is the code of the error; see runtime.ErrorType.
func (*offError) ErrorType() string { return "OffError" }

// Unwrap returns runtime.ErrNotAvailable.
func (e *offError) Unwrap() error { return runtime.ErrNotAvailable }
