package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// promptWithoutTools finds prompts of oneshots that ask for finish or another tool. A oneshot has
// no tools: the model would write the call into its reply, or refuse. Only the first request of
// each prompt is reported.
var promptWithoutTools = Pass{Name: "prompt-without-tools", run: func(u *unit) {
	tools := u.toolNames()
	for _, p := range u.prompts {
		if p.react != nil {
			continue
		}
		if found := u.firstToolRequest(p.text, func(tool string) bool { return tools[tool] }); found.tool != "" {
			u.report(p.withoutToolsDiagnostic(found))
		}
	}
}}

// withoutToolsDiagnostic describes a tool request in the prompt of a oneshot.
func (p *prompt) withoutToolsDiagnostic(found toolRequest) *diag.Diagnostic {
	at, a := p.span(found.start, found.end), p.agent
	if _, flow := ir.PatternOf(a.Node); flow && p.step.Name.Value == "" {
		return diag.New(diag.PromptWithoutTools, at,
			"in pattern %q the model of agent %q has no tools, but its prompt asks for %q",
			a.Node.Pattern(), a.Name.Value, found.tool).WithHint("its whole reply counts: describe what to write")
	}
	if _, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
		return diag.New(diag.PromptWithoutTools, at, "%s has no tools, but its prompt asks for %q", p.owner(), found.tool).
			WithHint("its whole reply counts: describe what to write, or use an agent of the project that has tools: uses: agent:NAME")
	}
	d := diag.New(diag.PromptWithoutTools, at,
		"%s is a oneshot, whose model has no tools, but its prompt asks for %q", p.owner(), found.tool)
	if skill, _ := p.u.skillUnlocking(found.tool); skill != nil {
		return d.WithHint("give it the pattern react and the skill %q", skill.Name.Value)
	}

	return d.WithHint("give it the pattern react, or describe what to write: its whole reply counts")
}
