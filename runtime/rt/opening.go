package rt

import (
	"slices"

	"github.com/agentc-dev/agentc/runtime/model"
)

// opening is what is before every conversation of an agent that is called with the same legal keys. A spec keeps the
// last one, since most agents are called in one place.
type opening struct {
	kind    placeKind
	keys    []string
	system  string
	offered []model.Tool
}

// openingOf returns the opening of a conversation, which must not be changed.
func openingOf(spec *ReactSpec, l legality) *opening {
	if o := spec.opening.Load(); o != nil && o.kind == l.kind && slices.Equal(o.keys, l.keys) {
		return o
	}
	o := &opening{
		kind: l.kind, keys: l.keys, system: systemPrompt(spec),
		offered: []model.Tool{startTool, finishTool(l, spec.Output, spec.List)},
	}
	if len(spec.Skills) > 0 {
		o.offered = append(o.offered, readSkillTool(spec.Skills))
	}
	o.offered = slices.Clip(o.offered) // a skill that is read appends to a copy
	spec.opening.Store(o)

	return o
}
