package names

import (
	"fmt"
	"slices"
	"strings"
)

// Identifiers of one machine. agent is the agent's name.

// StateType is the type of the machine's states.
func StateType(agent string) string { return Exported(agent) + "State" }

// State is the constant of a state.
func State(agent, state string) string { return StateType(agent) + Part(state) }

// KeyType is the type of the machine's keys.
func KeyType(agent string) string { return Exported(agent) + "Key" }

// Key is the constant of a key.
func Key(agent, key string) string { return KeyType(agent) + Part(key) }

// FinalKeys is the variable with the keys that end the agent.
func FinalKeys(agent string) string { return Unexported(agent) + "FinalKeys" }

// ParseState is the function that finds a state by its name.
func ParseState(agent string) string { return "Parse" + StateType(agent) }

// KeyLists is the variable with the keys of the rows by state.
func KeyLists(agent string) string { return Unexported(agent) + "KeyLists" }

// Rows is the variable with the rows without guards of a workflow's machine.
func Rows(machine string) string { return Unexported(machine) + "Rows" }

// StateNames is the variable with the names of the states.
func StateNames(agent string) string { return Unexported(agent) + "StateNames" }

// StateIndex is the variable that finds the states by their names.
func StateIndex(agent string) string { return Unexported(agent) + "StateIndex" }

// FuncByName is the method that calls a function by its name.
const FuncByName = "funcByName"

// NamedGuards is the function that finds the methods of Guards by their names in rows.
const NamedGuards = "namedGuards"

// Place is the variable with the legal keys of a state, or of a place in a flow.
func Place(agent, state string) string { return placesPrefix(agent) + Part(state) }

// placesPrefix begins the names of an agent's places.
func placesPrefix(agent string) string { return Unexported(agent) + "At" }

// Range is the function or method that does a function's work from one state on: next of Open is
// nextFromOpen.
func Range(function, state string) string { return function + "From" + Part(state) }

// MachineTest is the generated test of the machine.
func MachineTest(agent string) string { return "Test" + Exported(agent) + "Machine" }

// Identifiers of one agent.

// Run is the method of App that runs an agent.
func Run(agent string) string { return "Run" + Exported(agent) }

// Entry is the method of App that runs an agent on an engine. It is the agent's name unless another
// method could have that name.
func Entry(agent string) string {
	name := Exported(agent)
	if strings.HasPrefix(name, "Run") || slices.Contains(fixedMethods, name) {
		return "Start" + name
	}

	return name
}

// Info is the method of App that describes an agent.
func Info(agent string) string { return "info" + Exported(agent) }

// Graph is the constant with the picture of a machine or a flow.
func Graph(agent string) string { return Unexported(agent) + "Graph" }

// Budget is the variable with the budget for a run of an agent.
func Budget(agent string) string { return Unexported(agent) + "Budget" }

// Identifiers of one conversation. of is the name of its agent. For a step of a flow, of is
// agent/step as in scripts and events, and the identifiers begin with the words of both and with
// Step.

// Spec is the variable with a conversation in the form of the runtime.
func Spec(of string) string {
	if strings.Contains(of, "/") {
		return conversationPrefix(of, Unexported)
	}

	return Unexported(of) + "Spec"
}

// Prompt is the constant of a conversation's system prompt.
func Prompt(of string) string { return conversationPrefix(of, Unexported) + "Prompt" }

// Output is the type of a conversation's value.
func Output(of string) string { return conversationPrefix(of, Exported) + "Output" }

// OutputSchema is the constant of the schema of a conversation's value.
func OutputSchema(of string) string { return conversationPrefix(of, Unexported) + "OutputSchema" }

// conversationPrefix begins the identifiers of a conversation.
func conversationPrefix(of string, agentWords func(string) string) string {
	agent, step, isStep := strings.Cut(of, "/")
	if !isStep {
		return agentWords(of)
	}

	return agentWords(agent) + Part(step) + "Step"
}

// Identifiers of skills, tools, models and scripts.

// Skill is the variable that holds a skill.
func Skill(skill string) string { return Unexported(skill) + "Skill" }

// SkillFile is the constant of a skill's file. n counts the files from 0.
func SkillFile(skill string, n int) string {
	return fmt.Sprintf("%sSkillFile%d", Unexported(skill), n+1)
}

// SkillBody is the constant of a skill's text.
func SkillBody(skill string) string { return Unexported(skill) + "SkillBody" }

// Method is the method of Tools for a tool.
func Method(tool string) string { return Exported(tool) }

// Tool is the variable that holds a tool's specification.
func Tool(tool string) string { return Unexported(tool) + "Tool" }

// ToolInput is the type of a tool's arguments.
func ToolInput(tool string) string { return Exported(tool) + "Input" }

// ToolOutput is the type of a tool's result.
func ToolOutput(tool string) string { return Exported(tool) + "Output" }

// ToolInputSchema is the constant of the schema of a tool's arguments.
func ToolInputSchema(tool string) string { return Unexported(tool) + "InputSchema" }

// ToolOutputSchema is the constant of the schema of a tool's result.
func ToolOutputSchema(tool string) string { return Unexported(tool) + "ToolOutputSchema" }

// Script is the constant of a compiled-in script.
func Script(path string) string { return "script" + Part(path) }

// Recording is the constant of a compiled-in recording.
func Recording(path string) string { return "recording" + Part(path) }

// Providers is the function that returns the openers of models.
const Providers = "providers"

// Files of the output package.
const (
	// SharedFile holds everything that is not part of a single agent.
	SharedFile = "agentc_gen.go"
	// TestFile holds the generated tests.
	TestFile = "agentc_gen_test.go"
	// ProvidersFile holds the openers of models, if the project names a provider.
	ProvidersFile = "providers_gen.go"
	// RecordingsFile holds the recordings, if models name some.
	RecordingsFile = "recordings_gen.go"
)

// File is the base name of an agent's file. It has no leading _, which would hide the file from the
// go command.
func File(agent string) string { return strings.TrimLeft(agent, "_-") + "_gen.go" }

// Identifiers of one live machine. agent is the agent's name.

// LiveMachine is the type of the live machine.
func LiveMachine(agent string) string { return Exported(agent) + "Machine" }

// NewLive is the function that makes a live machine.
func NewLive(agent string) string { return "New" + LiveMachine(agent) }

// LiveSpec is the variable with the data that all live machines of the agent share.
func LiveSpec(agent string) string { return Unexported(agent) + "Live" }

// ClientPath is the package with the client of MCP servers, and ClientModule its module.
const (
	ClientPath   = ClientModule + "/client"
	ClientModule = "github.com/agentc-dev/agentc/runtime/mcp"
)

// ServersFile is the file for the MCP servers of a project, and ServerParts the function in it.
const (
	ServersFile = "servers_gen.go"
	ServerParts = "servers"
)
