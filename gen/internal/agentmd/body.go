package agentmd

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// body makes the body of AGENT.md the flow's next conversation.
func (b *flowBuilder) body(node ir.Node) *ir.Step {
	a := b.document.agent
	if blank(a.Prompt) {
		b.report(diag.New(diag.BadValue, a.PatternAt.Span,
			"the body of AGENT.md, which pattern %q has as a prompt, is empty", b.flow.Kind).
			WithHint("write below the frontmatter what the model has to do"))
	}
	s := &ir.Step{File: a.File, Prompt: a.Prompt, Call: withRole(b.written, bodyRole), Node: node}
	b.flow.Steps = append(b.flow.Steps, s)

	return s
}

// wantPrompt warns of an agent whose body is its prompt and is empty. It is no error: what the agent is handed may say all.
func (l *loader) wantPrompt(a *ir.Agent) {
	if !blank(a.Prompt) || l.IsFaulty(a.File) {
		return
	}
	l.List.Add(diag.New(diag.BadValue, a.PatternAt.Span,
		"the body of AGENT.md, which pattern %q has as its prompt, is empty: the model gets nothing but its task", a.PatternAt.Value).
		WithHint("write below the frontmatter what the model has to do").Warn())
}

// answer is the body of AGENT.md as a oneshot.
func (b *flowBuilder) answer() *ir.Oneshot { return &ir.Oneshot{Repair: defaultRepair} }

// loop is the body of AGENT.md as a react loop with its skills.
func (b *flowBuilder) loop(maxIter int) *ir.React {
	return &ir.React{
		MaxIter: maxIter,
		Repair:  defaultRepair,
		Stuck:   defaultStuck,
		Uses:    b.loader.uses(b.field("call").Value("uses")),
	}
}

// blank reports whether a prompt says nothing, so that a model would not know what to do.
func blank(prompt ir.Text) bool { return strings.TrimSpace(prompt.Value) == "" }
