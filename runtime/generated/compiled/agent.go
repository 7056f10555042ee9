package compiled

import (
	"encoding/json"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// UnknownAgentError means that the program does not have an agent, or cannot start it.
type UnknownAgentError struct {
	Agent string
	// Agents are the agents that can be started.
	Agents []string
}

func (e *UnknownAgentError) Error() string {
	if e.Agent == "" {
		return "the project has no single entry point; choose one of the agents " + wording.List(e.Agents)
	}

	return fmt.Sprintf("no agent %q can be started; there are %s", e.Agent, wording.List(e.Agents))
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*UnknownAgentError) ErrorType() string { return "UnknownAgentError" }

// Agent is an agent of a program.
type Agent struct {
	Name        string
	Description string
	Pattern     string
	// Text is a hash over the prompts and descriptions of the agent and its steps; see [Program.TextHash].
	Text string
	// Model is nil for an agent that calls no model itself.
	Model *model.Choice
	// Steps are the conversations of an agent that has several, in the order in which they first run; nil for any
	// other agent.
	Steps []Conversation
	// Env are environment variables that must be set, including those of its skills.
	Env []string
	// Builtins are the built-in tools that its skills unlock and that work only if the project has turned them on, sorted.
	Builtins []string
	// Contains are the agents that it runs directly, sorted.
	Contains []string
	// Graph is the diagram of the machine as Mermaid text; "" without a machine.
	Graph string
	// Questions are the ids of the questions that the agent itself asks people, sorted; the name of a human agent is
	// not listed.
	Questions []string
	// Budget is what a run of the agent may spend; nil without limits. It also applies when another agent runs this
	// one.
	Budget *runtime.Budget
	// Priced are the conversations and agents of a workflow's steps for which money is limited.
	Priced []string
	// Run starts the agent as an entry point; nil for a machine that other programs drive.
	Run func(fx runtime.Effects, input string) (runtime.Finish, error)
	// Input describes the input of a workflow that has an input_schema; nil for any other agent, whose input is any text.
	Input *Input
	// Context describes the context of a workflow; nil for any other agent.
	Context *Context
	// Initial is the initial context that [Program.WithContext] sets; nil without one.
	Initial json.RawMessage
}

// Agents calls the functions that describe the agents of a program. One call replaces thousands, which the Go
// compiler would otherwise inline into one function.
func Agents[A any](app A, infos ...func(A) Agent) []Agent {
	agents := make([]Agent, len(infos))
	for i, info := range infos {
		agents[i] = info(app)
	}

	return agents
}

func agentNames(agents []Agent) []string {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.Name
	}

	return names
}

// Conversation is one conversation of an agent that has several.
type Conversation struct {
	// Name is agent/step, or the name of the agent for the body of its AGENT.md.
	Name  string
	Model *model.Choice
}

// Conversations returns the agent's own conversations with models: its steps, or the agent itself; none for an agent
// that only runs others.
func (a *Agent) Conversations() []Conversation {
	if len(a.Steps) == 0 && a.Model != nil {
		return []Conversation{{Name: a.Name, Model: a.Model}}
	}

	return a.Steps
}
