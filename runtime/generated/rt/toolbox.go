package rt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// toolbox is what a model may call now. Tools are offered in a fixed order, and what read_skill
// unlocks is appended, so that the tools of one turn are a prefix of those of the next: providers
// cache by prefix.
type toolbox struct {
	skills   []*SkillSpec
	unlocked []bool
	offered  []model.Tool
	// gate decides which of the tools are possible; nil: all of them.
	gate *gating
}

func newToolbox(spec *ReactSpec, offered []model.Tool) toolbox {
	t := toolbox{skills: spec.Skills, offered: offered}
	if len(spec.Skills) > 0 {
		t.unlocked = make([]bool, len(spec.Skills))
	}

	return t
}

func readSkillTool(skills []*SkillSpec) model.Tool {
	schema := []byte(`{"type":"object","properties":{"name":{"type":"string","enum":[`)
	for i, skill := range skills {
		if i > 0 {
			schema = append(schema, ',')
		}
		schema = jsontext.Append(schema, skill.Name)
	}
	schema = append(schema, `]}},"required":["name"],"additionalProperties":false}`...)

	return model.Tool{
		Name:        toolReadSkill,
		Description: "Returns the instructions of a skill and unlocks its tools.",
		Schema:      string(schema),
	}
}

// unlockSkill returns what read_skill answers for a name, and unlocks the skill's tools.
func (t *toolbox) unlockSkill(name string) result {
	for i, skill := range t.skills {
		if skill.Name == name {
			t.offerSkill(i)

			return result{text: "# " + skill.Name + "\n\n" + skill.Body + skill.fileListing()}
		}
	}

	names := make([]string, len(t.skills))
	for i, skill := range t.skills {
		names[i] = skill.Name
	}

	return result{problem: fmt.Sprintf("There is no skill %s. The skills are %s.", wording.QuoteStart(name), wording.List(names))}
}

func (t *toolbox) offerSkill(skill int) {
	if t.unlocked[skill] {
		return
	}
	t.unlocked[skill] = true
	if len(t.skills[skill].Files) > 0 && !t.isOffered(toolReadSkillFile) {
		t.offered = append(t.offered, readSkillFileTool)
	}
	for _, tool := range t.skills[skill].Tools {
		name := tool.Name
		if slices.Contains(t.skills[skill].Prefixed, name) {
			name = "tama_" + name
		}
		if !t.isOffered(name) {
			t.offered = append(t.offered, model.Tool{Name: name, Description: tool.Description, Schema: tool.Input})
		}
	}
}

// canReadResults reports whether read_result is the tool for results that were cut: a skill may
// have one of that name.
func (t *toolbox) canReadResults() bool {
	spec, locked := t.lookUpTool(toolReadResult)

	return spec == nil && locked == ""
}

// offerReading offers read_result.
func (t *toolbox) offerReading() {
	if !t.isOffered(toolReadResult) {
		t.offered = append(t.offered, readResultTool)
	}
}

func (t *toolbox) isOffered(name string) bool {
	for _, tool := range t.offered {
		if tool.Name == name {
			return true
		}
	}

	return false
}

// offeredTools are the tools that a model is offered now: start and those that read always, others
// as the gate allows.
func (t *toolbox) offeredTools() []model.Tool {
	if t.gate == nil {
		return t.offered[:len(t.offered):len(t.offered)]
	}

	var possible []model.Tool
	for _, tool := range t.offered {
		action := tool.Name
		if spec, _ := t.lookUpTool(action); spec != nil {
			action = spec.Name
		}
		if isReadTool(action) || t.gate.isAllowed(action) {
			possible = append(possible, tool)
		}
	}

	return possible
}

// isReadTool reports whether a tool does no more than read what the conversation has.
func isReadTool(name string) bool {
	return name == toolStart || name == toolReadSkill || name == toolReadSkillFile || name == toolReadResult
}

// findTool returns the unlocked tool that name means: as it is offered, or by its canonical name.
// The problem describes why there is none and what may be called.
func (t *toolbox) findTool(name string) (spec *runtime.ToolSpec, problem string) {
	spec, locked := t.lookUpTool(name)
	switch {
	case spec != nil:
		return spec, ""
	case locked != "":
		return nil, fmt.Sprintf("The tool %q is locked: call read_skill with name %q first. You can call %s.", name, locked, t.toolNames())
	}

	return nil, fmt.Sprintf("There is no tool %s. You can call %s.", wording.QuoteStart(name), t.toolNames())
}

// lookUpTool returns the unlocked tool that name means, or else the skill that would unlock it.
func (t *toolbox) lookUpTool(name string) (spec *runtime.ToolSpec, locked string) {
	for i, skill := range t.skills {
		for _, tool := range skill.Tools {
			if canonicalName(tool, name) != tool.Name {
				continue
			}
			if t.unlocked[i] {
				return tool, ""
			}
			if locked == "" {
				locked = skill.Name
			}
		}
	}

	return nil, locked
}

// variables are the names of the variables that a call of the tool may name: those of each skill
// that has unlocked it.
func (t *toolbox) variables(spec *runtime.ToolSpec) []string {
	if !spec.Builtin {
		return nil
	}
	var names []string
	for i, skill := range t.skills {
		has := func(tool *runtime.ToolSpec) bool { return tool.Name == spec.Name && tool.Builtin }
		if t.unlocked[i] && slices.ContainsFunc(skill.Tools, has) {
			names = append(names, skill.Vars...)
		}
	}
	slices.Sort(names)

	return slices.Compact(names)
}

// canonicalName is name without the older prefix of built-in tools.
func canonicalName(spec *runtime.ToolSpec, name string) string {
	if spec.Builtin {
		return strings.TrimPrefix(name, "tama_")
	}

	return name
}

func (t *toolbox) toolNames() string {
	possible := t.offeredTools()
	names := make([]string, len(possible))
	for i, tool := range possible {
		names[i] = tool.Name
	}

	return strings.Join(names, ", ")
}
