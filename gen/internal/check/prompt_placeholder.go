package check

import (
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// promptPlaceholder finds placeholders of templates in prompts of agents and steps, and in those that a
// workflow has itself: nothing fills them. Code in a prompt is skipped. Each placeholder is reported
// once per prompt.
var promptPlaceholder = Pass{Name: "prompt-placeholder", run: func(u *unit) {
	for _, p := range u.prompts {
		if p.isTemplate() || !strings.Contains(p.text, "{{") {
			continue
		}
		advice := "write that the task contains it, or use a workflow, whose texts are templates"
		if p.isOfWorkflow() {
			advice = "write it into the input of the step, or put the prompt into a file: system_prompt: {from_file: prompt.md}"
		}
		reported := map[string]bool{}
		for _, at := range templatePlaceholder.FindAllIndex(withoutCode([]byte(p.text)), -1) {
			written := p.text[at[0]:at[1]]
			if reported[written] {
				continue
			}
			reported[written] = true
			u.report(diag.New(diag.PromptPlaceholder, p.span(at[0], at[1]), "%q is never filled in: the prompt of %s is sent as it is", written, p.owner()).
				WithHint("%s", advice))
		}
	}
}}

// isOfWorkflow reports whether an agent of a workflow has the prompt.
func (p *prompt) isOfWorkflow() bool {
	_, isWorkflow := ir.WorkflowOf(p.agent.Node)

	return isWorkflow
}

// isTemplate reports whether the prompt is a template: the file of a prompt of a workflow is one.
func (p *prompt) isTemplate() bool { return p.isOfWorkflow() && p.step.File != p.agent.File }

// templatePlaceholder matches a placeholder of Go, Jinja, Handlebars and similar template
// languages.
var templatePlaceholder = regexp.MustCompile(`\{\{[^{}\n]{1,80}\}\}`)
