// Package foreign recognizes files of other systems that describe agents, skills or workflows, so
// that a message names the system instead of listing unknown fields.
//
// It takes a document, or a folder that is not a project, and returns the format with advice. The
// formats are one table.
package foreign

import (
	"io/fs"
	"path"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Format is a kind of file of another system.
type Format struct {
	// Name describes a file of the format, such as "a subagent of Claude Code".
	Name string
	// Advice describes what to write instead, in the imperative. Here is the advice for its content
	// in an AGENT.md; "" means Advice.
	Advice, Here string

	// files are patterns of [path.Match] for the paths of the format.
	files []string
	// signs are the fields by which a document is recognized. One sign is enough.
	signs []sign
}

// sign describes a mapping.
type sign struct {
	// all are fields that it must have, some are fields of which it must have one, and none are
	// fields that it must not have.
	all, some, none []string
	// below is the field whose first entry is the mapping; "" for the document, "*" for its first
	// entry.
	below string
}

const (
	asAgent    = "write it as agents/NAME/AGENT.md, with name, description, version and pattern; tools belong to a skill, which call: {uses: [NAME]} names"
	agentHere  = "add version and pattern; tools belong to a skill, which call: {uses: [NAME]} names, and a model to call: {model: {name: \"provider:model\"}}; remove the other fields"
	asWorkflow = "write it as workflows/NAME.yaml: steps, or a step of kind StateMachine with start_state, states and transitions"
)

// formats are tried in this order: special formats come first.
var formats = []Format{
	{
		Name:   "a workflow of GitHub Agentic Workflows",
		Advice: asAgent + "; what starts it stays in GitHub Actions", Here: agentHere,
		files: []string{".github/workflows/*.md"},
		signs: []sign{{all: []string{"on"}, some: []string{"engine", "safe-outputs", "permissions", "timeout-minutes", "network"}}},
	},
	{
		Name:   "an agent of opencode",
		Advice: asAgent, Here: agentHere,
		files: []string{".opencode/agent/*.md", ".opencode/agents/*.md"},
		signs: []sign{{all: []string{"description", "mode"}}, {all: []string{"description", "permission"}}},
	},
	{
		Name:   "an agent of GitHub Copilot",
		Advice: asAgent, Here: agentHere,
		files: []string{".github/agents/*.md", ".github/chatmodes/*.md"},
		signs: []sign{{all: []string{"description"}, some: []string{"handoffs", "mcp-servers", "argument-hint", "user-invocable"}}},
	},
	{
		Name:   "a subagent of Claude Code",
		Advice: asAgent, Here: agentHere,
		files: []string{".claude/agents/*.md"},
		signs: []sign{{
			all:  []string{"name", "description"},
			some: []string{"tools", "model", "color", "maxTurns", "permissionMode", "disallowedTools"},
			none: []string{"version", "call", "states"},
		}},
	},
	{
		Name:   "a skill of Claude Code",
		Advice: "move its folder to skills/NAME; agents name it in call: {uses: [NAME]}",
		files:  []string{".claude/skills/*/SKILL.md", ".agents/skills/*/SKILL.md"},
	},
	{
		Name:   "a team of docker-agent",
		Advice: "write each of its agents as agents/NAME/AGENT.md, and its models in agentc.yaml: models: {default: \"provider:model\"}",
		signs:  []sign{{below: "agents", all: []string{"instruction"}}, {below: "agents", all: []string{"sub_agents"}}, {below: "agents", all: []string{"toolsets"}}},
	},
	{
		Name:   "a list of CrewAI's agents",
		Advice: "write each of them as agents/NAME/AGENT.md, with role, goal and backstory as its prompt",
		files:  []string{"config/agents.yaml", "src/*/config/agents.yaml"},
		signs:  []sign{{below: "*", all: []string{"role", "goal", "backstory"}}},
	},
	{
		Name:   "an agent of CrewAI",
		Advice: asAgent, Here: "add name, description, version and pattern; role, goal and backstory belong to the prompt below the frontmatter, and llm to call: {model: {name: \"provider:model\"}}; remove the other fields",
		signs: []sign{{all: []string{"role", "goal", "backstory"}}},
	},
	{
		Name:   "a list of CrewAI's tasks",
		Advice: "write the tasks as steps of workflows/NAME.yaml: steps: [{name: NAME, uses: \"agent:NAME\", input: …}]",
		files:  []string{"config/tasks.yaml", "src/*/config/tasks.yaml"},
		signs:  []sign{{below: "*", all: []string{"description", "expected_output"}}},
	},
	{
		Name:   "a state machine of AWS Step Functions",
		Advice: asWorkflow,
		files:  []string{"*.asl.json", "*/*.asl.json"},
		signs:  []sign{{all: []string{"StartAt", "States"}}},
	},
	{
		Name:   "a workflow of Serverless Workflow",
		Advice: asWorkflow,
		signs:  []sign{{all: []string{"document", "do"}}, {all: []string{"specVersion", "states"}}},
	},
	{
		Name:   "a machine of XState",
		Advice: "write it as agents/NAME/AGENT.md with pattern fsm, initial and states: {STATE: [{KEY: STATE}]}",
		signs:  []sign{{below: "states", all: []string{"on"}}},
	},
	{
		Name:   "a machine in SCXML",
		Advice: "write it as agents/NAME/AGENT.md with pattern fsm, initial and states: {STATE: [{KEY: STATE}]}",
		files:  []string{"*.scxml", "*/*.scxml"},
	},
	{
		Name:   "the configuration of LangGraph",
		Advice: "its graphs are Python; write each as workflows/NAME.yaml, or as agents/NAME/AGENT.md with pattern fsm",
		files:  []string{"langgraph.json"},
		signs:  []sign{{all: []string{"graphs", "dependencies"}}},
	},
	{
		Name:   "a recipe of Goose",
		Advice: asAgent, Here: agentHere,
		signs: []sign{{all: []string{"title", "instructions"}}, {all: []string{"title", "prompt", "extensions"}}},
	},
	{
		Name:   "a workflow of GitHub Actions",
		Advice: "agentc reads workflows/NAME.yaml with steps of agents; what GitHub runs stays in .github/workflows",
		signs:  []sign{{all: []string{"on", "jobs"}}},
	},
}

// FormatOf returns the format of a document, or nil. A document with pattern or steps is one of
// agentc.
func FormatOf(root *yamldoc.Node) *Format {
	if root == nil || root.Kind != yamldoc.Map {
		return nil
	}
	if root.Field("pattern") != nil || root.Field("steps") != nil {
		return nil
	}
	for i := range formats {
		if slices.ContainsFunc(formats[i].signs, func(s sign) bool { return s.matches(root) }) {
			return &formats[i]
		}
	}

	return nil
}

// matches reports whether a document has the sign.
func (s sign) matches(root *yamldoc.Node) bool {
	n := root
	if s.below != "" && s.below != "*" {
		n = root.Value(s.below)
	}
	if s.below != "" {
		if n == nil || len(n.Fields) == 0 {
			return false
		}
		n = n.Fields[0].Value
	}
	has := func(name string) bool { return n.Field(name) != nil }
	lacks := func(name string) bool { return !has(name) }

	hasSome := len(s.some) == 0 || slices.ContainsFunc(s.some, has)

	return hasSome && !slices.ContainsFunc(s.all, lacks) && !slices.ContainsFunc(s.none, has)
}

// mostFiles is the maximum number of files in a folder that are read, and mostBytes their maximum
// size.
const (
	mostFiles = 50
	mostBytes = 1 << 20
)

// FindInFolder returns the first file of another system in a folder: by its path, or by its content
// at usual paths. The format is nil if there is none.
func FindInFolder(fsys fs.FS) (string, *Format) {
	for i := range formats {
		for _, pattern := range formats[i].files {
			if found, err := fs.Glob(fsys, pattern); err == nil && len(found) > 0 {
				return found[0], &formats[i]
			}
		}
	}
	looked := 0
	for _, pattern := range []string{"*.yaml", "*.yml", "*.json", "workflows/*.json", "workflows/*.yml", "config/*.yaml", "agents/*.md"} {
		found, _ := fs.Glob(fsys, pattern) // the pattern is well formed
		for _, name := range found {
			looked++
			if looked > mostFiles {
				return "", nil
			}
			if format := FormatOfFile(fsys, name); format != nil {
				return name, format
			}
		}
	}

	return "", nil
}

// FormatOfFile returns the format of a file, or nil.
func FormatOfFile(fsys fs.FS, name string) *Format {
	info, err := fs.Stat(fsys, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostBytes {
		return nil
	}
	for i := range formats {
		isPlace := func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok }
		if slices.ContainsFunc(formats[i].files, isPlace) {
			return &formats[i]
		}
	}
	content, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil
	}
	f := source.NewFile(name, content)
	if path.Ext(name) == ".md" {
		head, _ := yamldoc.ParseFrontmatter(f)
		return FormatOf(head.Head)
	}
	root, _ := yamldoc.Parse(f)

	return FormatOf(root)
}
