package builtin

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// OlderToolPrefix may be before the name of each built-in tool.
const OlderToolPrefix = "tama_"

// Tools returns the canonical names of the built-in tools, sorted. Package rt has their descriptors.
func Tools() []string { return rt.Builtins() }

// Tool returns the canonical name of a built-in tool, which may be named with the older prefix; empty
// if there is none.
func Tool(name string) string {
	if spec := rt.Builtin(name); spec != nil {
		return spec.Name
	}

	return ""
}

// ToolRef returns the entry of a skill that names a built-in tool. Its Builtin is empty if there is
// none.
func ToolRef(name ir.Text) ir.ToolRef {
	ref := ir.ToolRef{Text: name, Builtin: Tool(name.Value)}
	ref.TakesVars = FlowOf(ref.Builtin).Variables

	return ref
}

// FlowOf returns how text gets through a built-in tool, and what its calls reach. It returns the zero
// value for an empty name, which typed tools have.
func FlowOf(tool string) rt.TextFlow {
	if tool == "" {
		return rt.TextFlow{}
	}

	return *rt.BuiltinFlow(tool)
}

// ToolIsOn reports whether a project turns on a built-in tool. setting is a line of agentc.yaml
// that does so, or empty for a tool that is always on.
func ToolIsOn(reach ir.Reach, tool string) (setting string, on bool) {
	switch flow := FlowOf(tool); {
	case flow.Commands:
		on = reach.Shell
	case flow.Hosts:
		on = HostsAreOn(reach)
	case flow.Root:
		on = reach.Root.Value != ""
	default:
		on = true
	}

	return FlowOf(tool).Setting(), on
}

// HostsAreOn reports whether a project turns on the tools that send requests.
func HostsAreOn(reach ir.Reach) bool { return len(reach.Hosts) > 0 }

// Signals are the signals that agentc sends itself, sorted; any other name is the user's own.
var Signals = []string{"budget-alert", "stop", "timer", "tool-result", "user-message"}
