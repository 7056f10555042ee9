package compiled

import (
	"encoding/json"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// UnknownAgentError is an agent that the program does not have, or cannot start.
type UnknownAgentError struct {
	Agent string
	// Agents are those that can be started.
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
	// Model is nil for an agent that calls no model itself.
	Model *model.Choice
	// Steps are the conversations of an agent that has several, in the order in which they are first run; nil for any other agent.
	Steps []Conversation
	// Env are variables that must be set, its skills' included.
	Env []string
	// Contains are the agents that it runs directly, sorted.
	Contains []string
	// Graph is the machine's picture as Mermaid text; "" without a machine.
	Graph string
	// Questions are the ids of what the agent itself asks people, sorted; for a human agent its name goes without saying.
	Questions []string
	// Budget is what a run of the agent may spend; nil without limits. Everything that runs the agent keeps to it.
	Budget *runtime.Budget
	// Priced are the conversations and agents of a workflow's steps whose money is limited.
	Priced []string
	// Run starts the agent as an entry point; nil for a machine that others drive.
	Run func(fx runtime.Effects, input string) (runtime.Finish, error)
	// Context describes the context of a workflow; nil for any other agent.
	Context *Context
	// Initial is the context that [Program.WithContext] has it start with; nil without one.
	Initial json.RawMessage
}

// Agents calls the functions that describe the agents of an app. It is one call for thousands of them, which the compiler of Go
// would inline into one function otherwise.
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
	// Name is agent/step, or the agent's for the body of its AGENT.md.
	Name  string
	Model *model.Choice
}

// Conversations are the agent's own conversations with models: its steps, or the agent itself; none for an agent that only runs
// others.
func (a *Agent) Conversations() []Conversation {
	if len(a.Steps) == 0 && a.Model != nil {
		return []Conversation{{Name: a.Name, Model: a.Model}}
	}

	return a.Steps
}
