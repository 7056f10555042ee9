package check

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// prompt is the prompt of a conversation with its context.
type prompt struct {
	u     *unit
	agent *ir.Agent
	step  *ir.Step
	text  string
	// react is the conversation if it is a react loop, or nil.
	react *ir.React
	// declared are the keys that a react loop declares; uses are the sites where it runs.
	declared []ir.Text
	uses     *flow.Uses
}

// collectPrompts collects the prompts of all conversations whose pattern has no error.
func (u *unit) collectPrompts() {
	u.eachConversation(func(a *ir.Agent, step *ir.Step) {
		if u.faulty[step.PatternAt.Span] || u.faulty[a.PatternAt.Span] {
			return
		}
		p := &prompt{u: u, agent: a, step: step, text: step.Prompt.Span.Text()}
		p.react, _ = step.Node.(*ir.React)
		if p.react != nil {
			p.declared = p.react.Keys
		}
		u.prompts = append(u.prompts, p)
	})
}

// owner describes the owner of the prompt.
func (p *prompt) owner() string { return conversation(p.agent, p.step) }

// span returns the span of a part of the prompt.
func (p *prompt) span(start, end int) source.Span { return partOf(p.step.Prompt.Span, start, end) }

func partOf(text source.Span, start, end int) source.Span {
	return source.Span{File: text.File, Start: text.Start + start, End: text.Start + end}
}

// firstLine returns the span of the first line of the prompt that is not blank.
func (p *prompt) firstLine() source.Span {
	start := len(p.text) - len(strings.TrimLeft(p.text, " \t\r\n"))
	line, _, _ := strings.Cut(p.text[start:], "\n")

	return p.span(start, start+len(strings.TrimRight(line, " \t\r")))
}

// words returns the words of the prompt and of the skills that the conversation can read.
func (p *prompt) words() promptWords {
	words := newPromptWords(p.text)
	for _, use := range p.step.Skills() {
		if use.Skill != nil {
			words = append(words, newPromptWords(use.Skill.Body.Value)...)
		}
	}

	return words
}

// loopTools are the tools of every react loop.
var loopTools = []string{"start", "finish", "read_skill", "read_skill_file", "read_result"}

// toolNames returns the tools that a prompt may ask for: those of every react loop, the built-in
// ones with their older names, and those of the project's skills.
func (u *unit) toolNames() map[string]bool {
	names := builtinTools()
	for _, name := range loopTools[:3] {
		names[name] = true
	}
	for _, tool := range u.program.AllTools() {
		names[tool.Name.Value] = true
	}

	return names
}

// builtinTools returns the names of the built-in tools, including the older ones.
func builtinTools() map[string]bool {
	names := map[string]bool{}
	for _, name := range builtin.Tools() {
		names[name], names[builtin.OlderToolPrefix+name] = true, true
	}

	return names
}

// skillUnlocking returns the first skill that unlocks a tool, with its entry for the tool, or nil.
func (u *unit) skillUnlocking(tool string) (skill *ir.Skill, at ir.ToolRef) {
	for _, s := range u.program.Skills {
		for _, ref := range s.Tools {
			if ref.Value == tool || ref.Builtin != "" && ref.Builtin == builtin.Tool(tool) {
				return s, ref
			}
		}
	}

	return nil, ir.ToolRef{}
}
