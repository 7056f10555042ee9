package statemachine

import (
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
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
		b.workflow.Agents = append(b.workflow.Agents, agent)
	}
}

func (b *builder) declaredAgent(name ir.Text, n *yamldoc.Node) *ir.Step {
	settings := n.Value("model_settings")
	agent := &ir.Step{
		Name: name,
		File: b.document.file,
		Call: ir.Call{
			Role:        ir.Text{Value: agentRole},
			Name:        textIn(n.Value("model")),
			Temperature: frontend.Number(settings.Value("temperature")),
			MaxTokens:   b.set.project.Whole(settings.Value("max_tokens")),
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
