package statemachine

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// promptFile takes a system prompt that is in a file of its own. It may have placeholders.
func (b *builder) promptFile(agent *ir.Step, n *yamldoc.Node) {
	variables := b.variables(n.Value("variables"))
	name := textIn(n.Value("from_file"))
	if name.Value == "" {
		return
	}
	f := b.readPrompt(name)
	if f == nil {
		return
	}

	agent.File = f
	agent.Prompt = promptText(f)
	if strings.TrimSpace(agent.Prompt.Value) == "" {
		b.report(diag.New(diag.BadValue, name.Span, "file %q, the prompt of agent %q, is empty", f.Path, agent.Name.Value))
		return
	}
	b.later = append(b.later, func() { b.fillPrompt(agent, variables) })
}

// readPrompt reads the file of a prompt; nil if there is none that can be read, which is reported.
func (b *builder) readPrompt(name ir.Text) *source.File {
	file, finding, err := b.set.namedFile(b.document, diag.BadValue, "prompt", name)
	if err != nil {
		b.fail(err)
		return nil
	}
	if finding != nil {
		b.report(finding)
		return nil
	}
	if known := b.set.prompts[file]; known != nil {
		return known
	}

	f, err := b.set.project.ReadFile(file)
	if err != nil {
		b.fail(err)
		return nil
	}
	if d := yamldoc.CheckText(f, len(f.Bytes)-len(promptBytes(f)), len(f.Bytes)); d != nil {
		b.report(d)
		return nil
	}
	b.set.prompts[file] = f

	return f
}

// promptText is the text of a file, in which lines end with \n whatever they end with on disk.
func promptText(f *source.File) ir.Text {
	content := promptBytes(f)
	span := source.Span{File: f, Start: len(f.Bytes) - len(content), End: len(f.Bytes)}

	return ir.Text{Value: strings.ReplaceAll(string(content), "\r\n", "\n"), Span: span}
}

// promptBytes is a file without its byte order mark.
func promptBytes(f *source.File) []byte { return f.Bytes[f.Start():] }

// fillPrompt reads the placeholders of a prompt. What can be filled in now is; a prompt in which nothing is left is a
// text.
func (b *builder) fillPrompt(agent *ir.Step, variables []*variable) {
	scope := b.scope(anywhere)
	for _, v := range variables {
		scope.Names = append(scope.Names, v.name())
	}
	template, findings := expr.Template(agent.Prompt, scope)
	b.report(findings...)
	if template == nil {
		return
	}

	f := &filler{builder: b, variables: variables, used: map[*variable]bool{}}
	template.Parts = f.parts(template.Parts)
	f.unused()
	if text, constant := template.Constant(); constant {
		agent.Prompt.Value = text
		return
	}
	agent.Template = template
}
