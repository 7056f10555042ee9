package builtin

import "github.com/agentc-dev/agentc/runtime/rt"

// OlderToolPrefix may be before the name of each built-in tool.
const OlderToolPrefix = "tama_"

// Tools returns the canonical names of the built-in tools, sorted. Their descriptors are those of package runtime.
func Tools() []string { return rt.Builtins() }

// Tool returns the canonical name of the built-in tool that is called name, with or without the older prefix; "" if there is none.
func Tool(name string) string {
	if spec := rt.Builtin(name); spec != nil {
		return spec.Name
	}

	return ""
}

// Signals are the signals that agentc sends itself, sorted; any other name is the user's own.
var Signals = []string{"budget-alert", "stop", "timer", "tool-result", "user-message"}
