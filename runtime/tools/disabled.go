package tools

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// settingOf returns the lines that turn on a built-in tool. They are empty for a tool that is
// always on, and for a name that no built-in tool has.
func settingOf(tool string) string {
	flow := rt.BuiltinFlow(tool)
	if flow == nil {
		return ""
	}
	setting := flow.Setting()
	if flow.Commands {
		setting += ", and " + rt.FilesSetting + " for the folder in which commands run"
	}

	return setting
}

// offError means that the project has not turned a tool on, and setting is the line to add. It ends the run, because no model can fix that.
func offError(agent, tool, setting string) error {
	const text = "agent %q calls tool %q, which the project has not turned on: add %s to agentc.yaml"

	return &errs.Coded{Code: "OffError", Text: fmt.Sprintf(text, agent, tool, setting), Err: runtime.ErrNotAvailable}
}
