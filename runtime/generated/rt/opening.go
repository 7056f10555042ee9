package rt

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/model"
)

// opening is what is before every conversation of an agent that is called with the same legal keys.
// A spec keeps the last one, since most agents are called in one place.
type opening struct {
	kind    placeKind
	keys    []string
	system  string
	offered []model.Tool
}

// openingOf returns the opening of a conversation, which must not be changed.
func openingOf(spec *ReactSpec, at *placeInfo) *opening {
	if o := spec.opening.Load(); o != nil && o.kind == at.kind && slices.Equal(o.keys, at.keys) {
		return o
	}
	o := &opening{
		kind: at.kind, keys: at.keys, system: systemPrompt(spec),
		offered: []model.Tool{startTool, finishTool(at, spec.Output, spec.List)},
	}
	if len(spec.Skills) > 0 {
		o.offered = append(o.offered, readSkillTool(spec.Skills))
	}
	o.offered = slices.Clip(o.offered) // a skill that is read appends to a copy
	spec.opening.Store(o)

	return o
}
