package statemachine

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// defaultRepair is how many replies that do not fit are asked again: as many as in the original.
const defaultRepair = 3

// agentRole is the role of an agent; the model's name, which it has to have, wins over it.
const agentRole = "worker"

var agentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// declareAgents lowers the models that the steps can ask.
func (b *builder) declareAgents(n *yamldoc.Node) {
	for _, f := range n.Members() {
		name := frontend.Key(f)
		if !agentName.MatchString(name.Value) {
			b.report(diag.New(diag.InvalidName, name.Span, "agent name %q: a name has letters, digits, _ and -", name.Value))
		}
		agent := b.declaredAgent(name, f.Value)
		b.agents[name.Value] = agent
		b.workflow.Conversations = append(b.workflow.Conversations, agent)
	}
}

func (b *builder) declaredAgent(name ir.Text, n *yamldoc.Node) *ir.Step {
	agent := &ir.Step{
		Name: name,
		File: b.document.file,
		Call: ir.Call{
			Role:     ir.Text{Value: agentRole},
			Name:     textIn(n.Value("model")),
			Settings: b.set.project.Settings(n.Value("model_settings")),
		},
		Timeout: b.seconds(n.Value("timeout")),
		Node: &ir.Oneshot{
			Repair: b.count(n.Value("max_retries"), defaultRepair),
			Output: b.schema(n.Value("output_schema")),
		},
	}
	b.prompt(agent, n.Value("system_prompt"))

	return agent
}

// prompt takes the system prompt: a text, which is never a template, or that of a file.
func (b *builder) prompt(agent *ir.Step, n *yamldoc.Node) {
	if n != nil && n.Kind == yamldoc.Map {
		b.promptFile(agent, n)
		return
	}
	agent.Prompt = textIn(n)
	if agent.Prompt.Value != "" && strings.TrimSpace(agent.Prompt.Value) == "" {
		b.report(diag.New(diag.BadValue, agent.Prompt.Span, "the prompt of agent %q is empty", agent.Name.Value))
	}
}

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
	agent.Prompt = ir.Text{ // lines end with \n whatever they end with on disk
		Value: strings.ReplaceAll(string(f.Bytes[f.Start():]), "\r\n", "\n"),
		Span:  source.Span{File: f, Start: f.Start(), End: len(f.Bytes)},
	}
	if strings.TrimSpace(agent.Prompt.Value) == "" {
		b.report(diag.New(diag.BadValue, name.Span, "file %q, the prompt of agent %q, is empty", f.Path, agent.Name.Value))
		return
	}
	b.later = append(b.later, func() { b.fillPrompt(agent, variables) })
}

// readPrompt reads the file of a prompt; nil if there is none that can be read, which is reported.
func (b *builder) readPrompt(name ir.Text) *source.File {
	file, finding := b.set.namedFile(b.document, diag.BadValue, "prompt", name)
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

// fillPrompt reads the placeholders of a prompt. What can be filled in now is; a prompt in which nothing is left is a
// text.
func (b *builder) fillPrompt(agent *ir.Step, variables []*variable) {
	scope := b.scope(anywhere)
	for _, v := range variables {
		scope.Names = append(scope.Names, expr.Name{Name: v.key.Value, Value: &ir.Access{Root: ir.RootStep, Output: v.mark, Type: v.is}})
	}
	template, findings := expr.Template(agent.Prompt, scope)
	b.report(findings...)
	if template == nil {
		return
	}

	f := &filler{builder: b, variables: variables, used: map[*variable]bool{}}
	template.Parts = f.parts(template.Parts)
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

// variable is a name that a prompt's file gets its value from.
type variable struct {
	key ir.Text
	at  source.Span
	// is its type: what fills it in is text, unless it is written as something else.
	is ir.Type
	// parts are what fills it in as a part of a text, nil for a mistake, and only is the one value that they are; nil for any others.
	parts []ir.Part
	only  ir.Expression
	// mark is in the file's placeholders for the variable until its value takes their place.
	mark *ir.Output
}

// variables lowers the variables of a prompt's file.
func (b *builder) variables(n *yamldoc.Node) []*variable {
	var all []*variable
	for _, f := range n.Members() {
		v := &variable{key: frontend.Key(f), at: f.Value.Span, is: textType, mark: &ir.Output{Name: frontend.Key(f)}}
		all = append(all, v)
		if f.Value.Kind != yamldoc.String || !hasPlaceholder(f.Value.Text) {
			l := literal(f.Value)
			v.is, v.parts, v.only = l.Is(), []ir.Part{&ir.Verbatim{Text: expr.Text(l)}}, l
			continue
		}
		b.later = append(b.later, func() {
			if t := b.template(frontend.Text(f.Value), b.scope(anywhere)); t != nil {
				v.parts, v.only = t.Parts, singleValue(t)
			}
		})
	}

	return all
}

// literal is a scalar as an expression; of anything else it is none.
func literal(n *yamldoc.Node) *ir.Literal {
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

// filler puts the values of variables in the places of their names.
type filler struct {
	builder   *builder
	variables []*variable
	used      map[*variable]bool
}

// parts fills in the variables of a text.
func (f *filler) parts(parts []ir.Part) []ir.Part {
	var filled []ir.Part
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Placeholder:
			filled = append(filled, f.placeholder(part)...)
			continue
		case *ir.IfPart:
			filled = append(filled, f.condition(part)...)
			continue
		case *ir.EachPart:
			part.Items = f.value(part.Items)
			part.Body = f.parts(part.Body)
		}
		filled = append(filled, part)
	}

	return filled
}

// condition fills in the variables of a block that is there under a condition. What a variable decides is decided
// now.
func (f *filler) condition(p *ir.IfPart) []ir.Part {
	p.Cond = f.value(p.Cond)
	p.Body = f.parts(p.Body)
	canHold, canFail := expr.Judge(p.Cond, nil)
	switch {
	case !canFail:
		return p.Body
	case !canHold:
		return nil
	}

	return []ir.Part{p}
}

// placeholder fills in the variables of a placeholder: one that is nothing but a variable becomes the variable's text.
func (f *filler) placeholder(p *ir.Placeholder) []ir.Part {
	if len(p.Values) == 1 && len(p.Filters) == 0 {
		if v := f.variable(p.Values[0]); v != nil && v.parts != nil {
			f.used[v] = true
			return v.parts
		}
	}
	p.Values = ir.Map(p.Values, f.value)

	return []ir.Part{p}
}

// value returns the expression that a variable means; any other expression as it is.
func (f *filler) value(x ir.Expression) ir.Expression {
	v := f.variable(x)
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

// singleValue returns the value of a template that is one placeholder and nothing else, without alternatives and filters; nil for any other.
func singleValue(t *ir.Template) ir.Expression {
	if p, ok := t.Parts[0].(*ir.Placeholder); ok && len(t.Parts) == 1 && len(p.Values) == 1 && len(p.Filters) == 0 {
		return p.Values[0]
	}

	return nil
}

// variable returns the variable that an expression names; nil if it names none.
func (f *filler) variable(x ir.Expression) *variable {
	access, ok := x.(*ir.Access)
	if !ok {
		return nil
	}

	return ir.First(f.variables, func(v *variable) bool { return access.Output == v.mark })
}
