package rt

import (
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// begin is the first message of every react conversation: the task itself comes from start.
const begin = "Begin now."

// firstMessages begin every conversation: they are shared, and appended to as a copy.
var firstMessages = []model.Message{{Role: model.RoleUser, Text: begin}}

// howTo ends every system prompt of a react agent. It names no key: the schema of finish does, and
// so the text in front of a conversation is the same wherever the agent is.
const howTo = `## How to begin and end

Call start first: it returns your task. Work with the tools that you have; each call is answered with a result.
When you are done, call finish once, with a key that says how it ended and the whole result as value.`

// systemPrompt is the body, then the skills, then how a list is written, then how to begin and end.
func systemPrompt(spec *ReactSpec) string {
	var b strings.Builder
	b.Grow(promptSize(spec))
	if body := strings.TrimSpace(spec.Prompt); body != "" {
		b.WriteString(body)
		b.WriteString("\n\n")
	}
	if len(spec.Skills) > 0 {
		b.WriteString("## Skills\n\nBefore you use a skill, call read_skill with its name: " +
			"it returns the instructions and unlocks the skill's tools.\n\n")
		for _, skill := range spec.Skills {
			// One line each, however the description was wrapped.
			b.WriteString("- " + skill.Name + ": " + strings.Join(strings.Fields(skill.Description), " ") + "\n")
		}
		b.WriteString("\n")
	}
	if spec.List != nil {
		b.WriteString("## The list\n\n" + spec.List.howTo() + "\n\n")
	}
	b.WriteString(howTo)

	return b.String()
}

// systemPrompt is the body, and how the answer is written if it is a list.
func (s *OneshotSpec) systemPrompt() string {
	if s.List == nil {
		return s.Prompt
	}

	return strings.TrimSpace(strings.TrimSpace(s.Prompt) + "\n\n" + s.List.howTo())
}

// promptSize is about what the system prompt needs, and rather more than less.
func promptSize(spec *ReactSpec) int {
	size := len(spec.Prompt) + len(howTo) + 8
	for _, skill := range spec.Skills {
		size += len(skill.Name) + len(skill.Description) + 200/len(spec.Skills) + 8
	}
	if spec.List != nil {
		size += 400
	}

	return size
}
