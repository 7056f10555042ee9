package can_test

import (
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/can"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// Each built-in tool says what is known of its texts: none is harmless because its descriptor is empty, or has a word that is no class.
// What it reaches is what agentc.yaml turns on.
func TestBuiltinToolsHaveClasses(t *testing.T) {
	for _, name := range rt.Builtins() {
		spec, flow := rt.Builtin(name), rt.BuiltinFlow(name)
		if flow.Source == "" && len(flow.Deeds) == 0 && !flow.Stores && !flow.Recalls {
			t.Errorf("%s has no source, does nothing, and neither writes nor reads the memory", name)
		}
		if flow.Source != "" && !slices.Contains(can.Sources, flow.Source) {
			t.Errorf("%s: %q is no class of sources", name, flow.Source)
		}
		for _, deed := range flow.Deeds {
			if !slices.Contains(can.Deeds, deed) || deed == can.Any {
				t.Errorf("%s: %q is no class of deeds", name, deed)
			}
		}
		if spec.Effect == runtime.EffectWrite && !slices.Contains(flow.Deeds, "write") && !flow.Stores {
			t.Errorf("%s writes, and its deeds are %v", name, flow.Deeds)
		}
		if spec.Effect == runtime.EffectExternal && !slices.Contains(flow.Deeds, "external") {
			t.Errorf("%s is external, and its deeds are %v", name, flow.Deeds)
		}
		if setting, _ := builtin.ToolIsOn(ir.Reach{}, name); (setting != "") != (flow.Root || flow.Hosts || flow.Commands) {
			t.Errorf("%s is turned on by %q, and reaches %+v", name, setting, flow)
		}
	}
}
