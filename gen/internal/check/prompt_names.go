package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// toolsInPrompts reports the first place in each prompt of a react loop that asks for a tool which does not exist and whose name is
// nearly that of one that the conversation has, or that has the older prefix of built-in tools.
func (u *unit) toolsInPrompts() {
	exists := u.toolNames()
	u.eachConversation(func(a *ir.Agent, step *ir.Step) {
		reach, known := toolsInReach(step)
		if !known || u.faulty[step.PatternAt.Span] || u.faulty[a.PatternAt.Span] {
			return
		}
		found := firstCallOf(step.Prompt.Span.Text(), func(name string) bool {
			_, near := mistyped(name, reach)
			older := strings.HasPrefix(name, builtin.OlderToolPrefix)

			return (near || older) && !exists[name] && !u.hasSkill(name)
		})
		if found.tool == "" {
			return
		}
		d := diag.New(diag.UndefinedTool, found.in(step.Prompt.Span), "the prompt of %s asks for the tool %q, which does not exist",
			conversation(a, step), found.tool).Warn()
		if near, ok := diag.Nearest(found.tool, append(reach, olderTools()...)); ok {
			d.WithHint("did you mean %q?", near)
		}
		u.report(d.Note(noSpan, "it has %s", diag.Listed(reach)))
	})
}

// toolsInReach are the tools that a react loop can have; known is false for other conversations and where a skill is not known whole.
func toolsInReach(step *ir.Step) (names []string, known bool) {
	if _, react := step.Node.(*ir.React); !react {
		return nil, false
	}
	names = []string{"start", "finish", "read_skill", "read_skill_file", "read_result"}
	for _, use := range step.Skills() {
		if use.Skill == nil || use.Skill.Partial {
			return nil, false
		}
		for _, tool := range use.Skill.Tools {
			names = append(names, tool.Value)
		}
	}

	return names, true
}

func olderTools() []string {
	var names []string
	for _, name := range builtin.Tools() {
		names = append(names, builtin.OlderToolPrefix+name)
	}

	return names
}

func (u *unit) hasSkill(name string) bool { return slices.Contains(u.skillNames(), name) }

// readsSkill is a call of read_skill with the name of a skill.
var readsSkill = regexp.MustCompile("\\bread_skill\\(\\s*(?:name\\s*[=:]\\s*)?[\"'`]([a-z0-9][a-z0-9_-]*)[\"'`]")

// skillsInPrompts reports skills that a prompt of a react loop reads and that the conversation does not have.
func (u *unit) skillsInPrompts() {
	u.eachConversation(func(a *ir.Agent, step *ir.Step) {
		if _, react := step.Node.(*ir.React); !react {
			return
		}
		text := step.Prompt.Span.Text()
		var has []string
		for _, use := range step.Skills() {
			has = append(has, use.Value)
		}
		for _, at := range readsSkill.FindAllStringSubmatchIndex(text, -1) {
			name := text[at[2]:at[3]]
			if slices.Contains(has, name) || placeholder(name) || isRefused(text[:at[0]]) {
				continue
			}
			place := call{start: at[2], end: at[3]}.in(step.Prompt.Span)
			d := diag.New(diag.UndefinedSkill, place, "the prompt of %s reads the skill %q, which it does not have", conversation(a, step), name).Warn()
			if u.hasSkill(name) {
				d.WithHint("add %s to uses of its call", name)
			} else if d.Guess(name, has); d.Hint == "" {
				d.Guess(name, u.skillNames())
			}
			u.report(d)
		}
	})
}
