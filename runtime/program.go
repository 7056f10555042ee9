package runtime

import (
	"context"
	"encoding/json"
)

// Program is what a compiled project tells an engine and a command line about itself. Generated code makes it; it must not
// be changed.
type Program struct {
	// Name is the project's name: its entry point, or the Go package when several agents could be it.
	Name string
	// Entry is the agent that a run starts with; "" if one has to be chosen.
	Entry string
	// Shape is a hash over states, rows, patterns, and tool schemas; Text one over prompts and descriptions.
	Shape, Text string
	// Agents are sorted by name.
	Agents []AgentInfo
	// Tools are the typed tools, sorted by name.
	Tools []ToolInfo
	// Models are the configured roles. Without HasModels the environment alone defines roles.
	Models    []ModelInfo
	HasModels bool
	// Providers are what is configured of providers, sorted by name.
	Providers []ProviderInfo
	// Scripts are the scripts that models name as script:FILE, compiled in.
	Scripts []ScriptInfo
}

// AgentInfo is an agent of a program.
type AgentInfo struct {
	Name        string
	Description string
	Pattern     string
	// Model is nil for an agent that calls no model itself.
	Model *ModelChoice
	// Steps are the conversations of an agent that has several, in the order in which they are first run; nil for any other agent.
	Steps []StepInfo
	// Env are variables that must be set, its skills' included.
	Env []string
	// Contains are the agents that it runs directly, sorted.
	Contains []string
	// Graph is the machine's picture as Mermaid text; "" without a machine.
	Graph string
	// Run starts the agent as an entry point; nil for a machine that others drive.
	Run func(fx Effects, input string) (Finish, error)
}

// StepInfo is one conversation of an agent that has several.
type StepInfo struct {
	// Name is agent/step, or the agent's for the body of its AGENT.md.
	Name  string
	Model *ModelChoice
}

// Conversations are the agent's own conversations with models: its steps, or the agent itself; none for an agent that only runs
// others.
func (a *AgentInfo) Conversations() []StepInfo {
	if len(a.Steps) == 0 && a.Model != nil {
		return []StepInfo{{Name: a.Name, Model: a.Model}}
	}

	return a.Steps
}

// ToolInfo is a typed tool of a program.
type ToolInfo struct {
	Spec *ToolSpec
	Run  func(ctx context.Context, args json.RawMessage) (ToolResult, error)
}

// ModelInfo is a configured role.
type ModelInfo struct {
	Role        string
	Name        string // provider:model
	Temperature *float64
	MaxTokens   *int
	BaseURL     string
}

// ProviderInfo is a configured provider of models.
type ProviderInfo struct {
	Name    string
	BaseURL string
}

// ScriptInfo is a compiled-in script.
type ScriptInfo struct {
	// Path is the FILE of script:FILE.
	Path string
	// JSON is the script; package simulate has its grammar.
	JSON string
}

// Engine runs programs.
type Engine interface {
	// Run runs an agent of p with the input and returns its result. It returns the cause of ctx when that is done.
	Run(ctx context.Context, p *Program, agent, input string) (Finish, error)
}
