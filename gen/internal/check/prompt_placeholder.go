package check

import (
	"regexp"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// promptPlaceholder finds placeholders of templates in prompts of agents and steps: nothing fills them. What a prompt has as code is
// what it talks about. Each is reported once a prompt.
var promptPlaceholder = Pass{Name: "prompt-placeholder", run: func(u *unit) {
	u.eachConversation(func(a *ir.Agent, step *ir.Step) {
		if _, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
			return // its texts are templates
		}
		text := step.Prompt.Span.Text()
		reported := map[string]bool{}
		for _, at := range templatePlaceholder.FindAllIndex(withoutCode([]byte(text)), -1) {
			written := text[at[0]:at[1]]
			if reported[written] {
				continue
			}
			reported[written] = true
			u.report(diag.New(diag.PromptPlaceholder, call{start: at[0], end: at[1]}.in(step.Prompt.Span),
				"nothing fills %q: the prompt of %s is sent as it stands", written, conversation(a, step)).
				WithHint("say that the task has it, or write a workflow, whose texts are templates"))
		}
	})
}}

// templatePlaceholder is a placeholder of Go, Jinja, Handlebars and their like.
var templatePlaceholder = regexp.MustCompile(`\{\{[^{}\n]{1,80}\}\}`)
