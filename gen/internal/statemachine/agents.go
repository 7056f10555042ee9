package statemachine

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// defaultRepair is the default number of repair attempts for an invalid reply, as in the original.
const defaultRepair = 3

// agentRole is the role of an agent. The name of its model, which is required, takes precedence.
const agentRole = "worker"

var agentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// declareAgents lowers the agents that the steps can call.
func (b *builder) declareAgents(n *yamldoc.Node) {
	for _, f := range n.Members() {
		name := frontend.Key(f)
		if !agentName.MatchString(name.Value) {
			b.report(diag.New(diag.InvalidName, name.Span, "agent name %q: a name has letters, digits, _ and -", name.Value))
		}
		agent := b.lowerAgent(name, f.Value)
		b.agents[name.Value] = agent
		b.workflow.Conversations = append(b.workflow.Conversations, agent)
	}
}

func (b *builder) lowerAgent(name ir.Text, n *yamldoc.Node) *ir.Step {
	model := textOf(n.Value("model"))
	agent := &ir.Step{
		Name: name,
		File: b.document.file,
		Call: ir.Call{
			Role:     ir.Text{Value: agentRole},
			Name:     model,
			Settings: b.set.project.ReadSettings(n.Value("model_settings"), model),
		},
		Timeout: b.readSeconds(n.Value("timeout")),
		Node: &ir.Oneshot{
			Repair: b.readCount(n.Value("max_retries"), defaultRepair),
			Output: b.lowerSchema(n.Value("output_schema")),
		},
	}
	b.lowerPrompt(agent, n.Value("system_prompt"))

	return agent
}

// lowerPrompt lowers the system prompt: a text, which is never a template, or the text of a file.
func (b *builder) lowerPrompt(agent *ir.Step, n *yamldoc.Node) {
	if n != nil && n.Kind == yamldoc.Map {
		b.lowerPromptFile(agent, n)
		return
	}
	agent.Prompt = textOf(n)
	if agent.Prompt.Value != "" && strings.TrimSpace(agent.Prompt.Value) == "" {
		b.report(diag.New(diag.BadValue, agent.Prompt.Span, "the prompt of agent %q is empty", agent.Name.Value))
	}
}

// lowerPromptFile lowers a system prompt in a separate file. It may have placeholders.
func (b *builder) lowerPromptFile(agent *ir.Step, n *yamldoc.Node) {
	variables := b.lowerVariables(n.Value("variables"))
	name := textOf(n.Value("from_file"))
	if name.Value == "" {
		return
	}
	f := b.readPrompt(name)
	if f == nil {
		return
	}

	agent.File = f
	agent.Prompt = ir.Text{ // lines end with \n on all systems
		Value: strings.ReplaceAll(string(f.Bytes[f.Start():]), "\r\n", "\n"),
		Span:  source.Span{File: f, Start: f.Start(), End: len(f.Bytes)},
	}
	if strings.TrimSpace(agent.Prompt.Value) == "" {
		b.report(diag.New(diag.BadValue, name.Span, "file %q, the prompt of agent %q, is empty", f.Path, agent.Name.Value))
		return
	}
	b.later = append(b.later, func() { b.fillPrompt(agent, variables) })
}

// readPrompt reads the file of a prompt. It reports an unreadable file and returns nil.
func (b *builder) readPrompt(name ir.Text) *source.File {
	file, finding := b.set.resolveFile(b.document, diag.BadValue, "prompt", name)
	if finding != nil {
		b.report(finding)
		return nil
	}
	if known := b.set.prompts[file]; known != nil {
		return known
	}

	f := b.set.project.ReadFile(file)
	if d := yamldoc.CheckText(f, f.Start(), len(f.Bytes)); d != nil {
		b.report(d)
		return nil
	}
	b.set.prompts[file] = f

	return f
}

// fillPrompt parses the placeholders of a prompt and fills in the known values. A prompt without
// remaining placeholders becomes a plain text.
func (b *builder) fillPrompt(agent *ir.Step, variables []*variable) {
	scope := b.scopeAt(anywhere)
	for _, v := range variables {
		scope.Names = append(scope.Names, expr.Name{Name: v.key.Value, Value: &ir.Access{Root: ir.RootStep, Output: v.mark, Type: v.is}})
	}
	template, findings := expr.ParseTemplate(agent.Prompt, scope)
	b.report(findings...)
	if template == nil {
		return
	}

	f := &filler{builder: b, variables: variables, used: map[*variable]bool{}}
	template.Parts = f.fillParts(template.Parts)
	for _, v := range variables {
		if !f.used[v] {
			b.report(diag.New(diag.UnusedField, v.key.Span, "the prompt's file does not name variable %q", v.key.Value).Warn())
		}
	}
	if text, constant := template.Constant(); constant {
		agent.Prompt.Value = text
		return
	}
	agent.Template = template
}

// variable is a name that the file of a prompt uses.
type variable struct {
	key ir.Text
	at  source.Span
	// is is its type: text, unless the value is written as another type.
	is ir.Type
	// parts is the value as a part of a text, or nil after a mistake. only is the value if it is a
	// single expression, or nil.
	parts []ir.Part
	only  ir.Expression
	// mark replaces the variable in the placeholders of the file until the value replaces it.
	mark *ir.Output
}

// lowerVariables lowers the variables of a prompt's file.
func (b *builder) lowerVariables(n *yamldoc.Node) []*variable {
	var all []*variable
	for _, f := range n.Members() {
		v := &variable{key: frontend.Key(f), at: f.Value.Span, is: textType, mark: &ir.Output{Name: frontend.Key(f)}}
		all = append(all, v)
		if f.Value.Kind != yamldoc.String || !hasPlaceholder(f.Value.Text) {
			l := literalOf(f.Value)
			v.is, v.parts, v.only = l.ValueType(), []ir.Part{&ir.Verbatim{Text: expr.FormatLiteral(l)}}, l
			continue
		}
		b.later = append(b.later, func() {
			if t := b.parseTemplate(frontend.Text(f.Value), b.scopeAt(anywhere)); t != nil {
				v.parts, v.only = t.Parts, singleValue(t)
			}
		})
	}

	return all
}

// literalOf returns a scalar as an expression. Other nodes become null.
func literalOf(n *yamldoc.Node) *ir.Literal {
	l := &ir.Literal{Span: n.Span}
	switch value := n.JSON().(type) {
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			l.Value = whole
		} else if number, err := value.Float64(); err == nil {
			l.Value = number
		}
	case string, bool:
		l.Value = value
	}

	return l
}

// filler replaces the names of variables by their values.
type filler struct {
	builder   *builder
	variables []*variable
	used      map[*variable]bool
}

// fillParts fills in the variables of a text.
func (f *filler) fillParts(parts []ir.Part) []ir.Part {
	var filled []ir.Part
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Placeholder:
			filled = append(filled, f.fillPlaceholder(part)...)
			continue
		case *ir.IfPart:
			filled = append(filled, f.fillCondition(part)...)
			continue
		case *ir.EachPart:
			part.Items = f.fillInside(part.Items)
			part.Body = f.fillParts(part.Body)
		}
		filled = append(filled, part)
	}

	return filled
}

// fillCondition fills in the variables of a conditional block. A condition on variables only is
// evaluated now.
func (f *filler) fillCondition(p *ir.IfPart) []ir.Part {
	p.Cond = f.fillInside(p.Cond)
	p.Body, p.Otherwise = f.fillParts(p.Body), f.fillParts(p.Otherwise)
	canHold, canFail := expr.Judge(p.Cond, nil)
	switch {
	case !canFail:
		return p.Body
	case !canHold && !builtin.CanBlockFail(p):
		return p.Otherwise
	}

	return []ir.Part{p}
}

// fillPlaceholder fills in the variables of a placeholder. A single variable becomes its text.
func (f *filler) fillPlaceholder(p *ir.Placeholder) []ir.Part {
	if len(p.Values) == 1 && len(p.Filters) == 0 {
		if v := f.variableOf(p.Values[0]); v != nil && v.parts != nil {
			f.used[v] = true
			return v.parts
		}
	}
	p.Values = ir.Map(p.Values, f.fillInside)

	return []ir.Part{p}
}

// fillInside replaces the variables in an expression by their values.
func (f *filler) fillInside(x ir.Expression) ir.Expression {
	return ir.ReplaceExpressions(x, f.fillValue)
}

// fillValue returns the value of a variable, or any other expression unchanged.
func (f *filler) fillValue(x ir.Expression) ir.Expression {
	v := f.variableOf(x)
	if v == nil {
		return x
	}
	f.used[v] = true
	if v.only != nil {
		return v.only
	}
	if v.parts != nil {
		f.builder.report(diag.New(diag.TemplateSyntax, x.At(), "variable %q is more than one value, so it is used only on its own, without filters",
			v.key.Value).Note(v.at, "its value is written here"))
	}

	return x
}

// singleValue returns the value of a template that consists of one placeholder without alternatives
// and filters, or nil.
func singleValue(t *ir.Template) ir.Expression {
	p, isPlaceholder := t.Parts[0].(*ir.Placeholder)
	if !isPlaceholder || len(t.Parts) != 1 || len(p.Values) != 1 || len(p.Filters) > 0 {
		return nil
	}

	return p.Values[0]
}

// variableOf returns the variable that an expression names, or nil.
func (f *filler) variableOf(x ir.Expression) *variable {
	access, ok := x.(*ir.Access)
	if !ok {
		return nil
	}

	return ir.First(f.variables, func(v *variable) bool { return access.Output == v.mark })
}
